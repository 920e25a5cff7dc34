package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.text.Characters;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.text.SqlText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the largest value of a column; new ids start above it. */
public final class LargestValue {
    private LargestValue() {}

    /**
     * Returns the largest value of a column, or empty if its table does not exist. Blocks for one transaction.
     *
     * @param purpose what it is read for, for the message of a failure
     */
    public static OptionalLong ifTableExists(Transactions transactions, String purpose, SqlName column) {
        return transactions.commit(
                purpose,
                (connection, dialect) ->
                        Transactions.exists(connection, dialect, column.table().toString())
                                ? OptionalLong.of(of(connection, dialect, column))
                                : OptionalLong.empty());
    }

    /**
     * Returns the largest value of a column. Reads texts as numbers.
     *
     * @param connection the connection to read with, in a transaction
     * @param dialect the dialect of the database
     * @param column the column, with its table
     * @return the largest value, or 0 if there is none
     * @throws SQLException if the database fails
     * @throws AllocationException {@link ErrorCode#START_UNKNOWN} if the column does not exist or may not be read, if a
     *     policy hides rows, or if a value is no number
     */
    public static long of(Connection connection, Dialect dialect, SqlName column) throws SQLException {
        Optional<Dialect.AllRows> allRows = dialect.allRows();
        try {
            if (allRows.isPresent()) {
                new SqlText(allRows.get().demand()).update(connection);
            }
            BigDecimal largest = largest(connection, column);
            if (allRows.isPresent()) {
                new SqlText(allRows.get().end()).update(connection);
            }
            return largest.longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw refusal(column, "it is no whole number, or above what a bigint holds");
        } catch (SQLException e) {
            Failure failure = dialect.failure(e);
            if (failure.isRefusal()) {
                String remedy = allRows.filter(any -> failure == Failure.REFUSED)
                        .map(all -> "; " + all.remedy())
                        .orElse("");
                throw new AllocationException(ErrorCode.START_UNKNOWN, unreadable(column) + e.getMessage() + remedy, e);
            }
            throw e;
        }
    }

    private static BigDecimal largest(Connection connection, SqlName column) throws SQLException {
        Object found = largest(connection, column, column.column());
        if (found instanceof String) {
            // the largest text is not that of the largest number: '9' is above '10'
            checkDigits(connection, column);
            found = largest(connection, column, "CAST(" + column.column() + " AS DECIMAL(38))");
        }
        if (!(found instanceof Number number)) {
            throw refusal(column, "it contains no numbers");
        }
        return new BigDecimal(number.toString()).setScale(0, RoundingMode.CEILING);
    }

    /** Returns the number or the text of an expression; 0 if there is no row. */
    private static Object largest(Connection connection, SqlName column, String expression) throws SQLException {
        return new SqlText("SELECT MAX(" + expression + ") FROM " + column.table())
                .first(connection, row -> row.getObject(1) == null ? (Object) 0L : row.getObject(1))
                .orElseThrow();
    }

    /** Some databases convert a text that is no number to a number without an error. */
    private static void checkDigits(Connection connection, SqlName column) throws SQLException {
        String rest = "TRIM(" + column.column() + ")";
        for (char digit = '0'; digit <= '9'; digit++) {
            rest = "REPLACE(" + rest + ", '" + digit + "', '')";
        }
        Optional<String> other = new SqlText(
                        "SELECT " + column.column() + " FROM " + column.table() + " WHERE " + rest + " <> ''")
                .atMost(1)
                .first(connection, row -> Characters.line(row.getString(1)));
        if (other.isPresent()) {
            throw refusal(column, "the text '" + other.get() + "' is no number");
        }
    }

    private static AllocationException refusal(SqlName column, String cause) {
        return new AllocationException(ErrorCode.START_UNKNOWN, unreadable(column) + cause);
    }

    private static String unreadable(SqlName column) {
        return "cannot read the largest value of " + column + ", above which new ids start: ";
    }
}
