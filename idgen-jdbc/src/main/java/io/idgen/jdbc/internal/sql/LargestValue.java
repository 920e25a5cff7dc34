package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.text.SqlText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The largest value of a column, and what a comparison with it needs. One statement reads those of many columns.
 *
 * @param column the column
 * @param value its largest value, 0 if there is none
 * @param isNumber false if it is a text
 * @param other the number that {@link Wanted#other} reads; null if there is none
 * @param clause the result of {@link Dialect#columnDefault}
 * @param nowMillis the database's time
 */
public record LargestValue(
        SqlName column,
        long value,
        boolean isNumber,
        @Nullable Long other,
        @Nullable String clause,
        long nowMillis) {
    private static final Set<Integer> NUMBERS = Set.of(
            Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.DECIMAL, Types.NUMERIC, Types.NULL);

    /**
     * A column to read.
     *
     * @param other a subselect of a number of idgen, read by the same statement; null for none
     */
    public record Wanted(SqlName column, @Nullable SqlText other) {}

    /** Returns whether the database refuses inserts that set the column. */
    public boolean isAlwaysGenerated() {
        return clause != null && clause.endsWith(Dialect.ACCEPT_VALUES);
    }

    /** Returns why the value may not be the largest id; null if it is. */
    public @Nullable String unsure() {
        if (!isNumber) {
            return "the column is no number, and the last text is not the largest id";
        }
        return Dialect.ROWS_HIDDEN.equals(clause) ? "row-level security hides rows from the user of idgen" : null;
    }

    /**
     * Reads columns, with one statement.
     *
     * @throws SQLException if the database fails, or a column does not exist
     */
    public static List<LargestValue> read(Connection connection, Dialect dialect, List<Wanted> all)
            throws SQLException {
        SqlText query = new SqlText("SELECT " + dialect.nowMillis());
        for (Wanted each : all) {
            SqlName column = each.column;
            query.add(", (SELECT MAX(" + column.column() + ") FROM " + column.table() + "), ")
                    .add(each.other == null ? new SqlText("NULL") : each.other)
                    .add(", ")
                    .add(clause(connection.getMetaData(), dialect, column));
        }
        SqlName first = all.get(0).column; // a table with one row, which some databases demand
        query.add(" FROM (SELECT MAX(" + first.column() + ") AS largest FROM " + first.table() + ") AS one_row");
        return query.first(connection, row -> read(row, all)).orElseThrow();
    }

    private static SqlText clause(DatabaseMetaData database, Dialect dialect, SqlName column) throws SQLException {
        List<String> parts = column.parts();
        boolean hasSchema = parts.size() > 2;
        String clause = dialect.columnDefault(hasSchema).orElse(null);
        if (clause == null) {
            return new SqlText("NULL");
        }
        SqlText text = new SqlText(clause);
        for (String part : parts.subList(parts.size() - (hasSchema ? 3 : 2), parts.size())) {
            text.add("", SqlName.spelled(database, part));
        }
        return text;
    }

    private static List<LargestValue> read(ResultSet row, List<Wanted> all) throws SQLException {
        List<LargestValue> found = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            int first = 2 + 3 * i;
            boolean isNumber = NUMBERS.contains(row.getMetaData().getColumnType(first));
            long other = row.getLong(first + 1);
            boolean hasOther = !row.wasNull();
            found.add(new LargestValue(
                    all.get(i).column,
                    isNumber ? Math.max(0, row.getLong(first)) : 0,
                    isNumber,
                    hasOther ? other : null,
                    row.getString(first + 2),
                    row.getLong(1)));
        }
        return found;
    }

    /**
     * Returns the largest value of a column.
     *
     * @param connection the connection to read with, in a transaction
     * @param dialect the dialect of the database
     * @param column the column, with its table
     * @param isLowerBound whether the value also counts if a policy hides rows from the user
     * @return the largest value, or 0 if there is none
     * @throws SQLException if the database fails
     * @throws AllocationException {@link ErrorCode#START_UNKNOWN} if the column does not exist or may not be read, if a
     *     policy hides rows, or if a value is no number
     */
    public static long of(Connection connection, Dialect dialect, SqlName column, boolean isLowerBound)
            throws SQLException {
        Optional<Dialect.AllRows> allRows = isLowerBound ? Optional.empty() : dialect.allRows();
        try {
            if (allRows.isPresent()) {
                new SqlText(allRows.get().demand()).update(connection);
            }
            return largest(connection, column).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw refusal(column, "it is no whole number, or above what a bigint holds");
        } catch (SQLException e) {
            Failure failure = dialect.failure(e);
            if (failure.isRefusal()) {
                String remedy = failure == Failure.MISSING_TABLE
                        ? "; if a migration creates the table after the start, set idgen.startup=lazy"
                        : allRows.map(all -> "; " + all.remedy()).orElse("");
                String fact = unreadable(column) + e.getMessage() + remedy;
                throw new AllocationException(
                        ErrorCode.START_UNKNOWN,
                        failure == Failure.FORBIDDEN
                                ? Transactions.forbidden(connection, fact, "SELECT ON " + column.table())
                                : fact,
                        e);
            }
            throw e;
        }
    }

    /** The largest text is not that of the largest number: '9' is above '10'. */
    private static BigDecimal largest(Connection connection, SqlName column) throws SQLException {
        Object found = new SqlText("SELECT MAX(" + column.column() + ") FROM " + column.table())
                .first(connection, row -> row.getObject(1) == null ? (Object) 0L : row.getObject(1))
                .orElseThrow();
        if (!(found instanceof Number number)) {
            throw refusal(column, "it contains no numbers; set a number above all ids instead of the column");
        }
        return new BigDecimal(number.toString()).setScale(0, RoundingMode.CEILING);
    }

    private static AllocationException refusal(SqlName column, String cause) {
        return new AllocationException(ErrorCode.START_UNKNOWN, unreadable(column) + cause);
    }

    private static String unreadable(SqlName column) {
        return "cannot read the largest value of " + column + ", above which new ids start: ";
    }
}
