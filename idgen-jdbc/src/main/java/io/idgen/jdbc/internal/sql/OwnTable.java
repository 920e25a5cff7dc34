package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** One of idgen's tables on one database. If it is missing, the exception contains its DDL. */
public final class OwnTable {
    private final Transactions transactions;
    private final SqlName name;
    private final String defaultName;

    /**
     * Creates the table's access object. Opens no connection.
     *
     * @param name the table's name in this database
     * @param defaultName the table's name in idgen's scripts
     */
    public OwnTable(Transactions transactions, SqlName name, String defaultName) {
        this.transactions = transactions;
        this.name = name;
        this.defaultName = defaultName;
    }

    /** Returns whether a table exists and may be read. Blocks for one transaction. */
    public static boolean exists(Transactions transactions, SqlName table) {
        return transactions.commit(
                "checking for " + table, (connection, dialect) -> exists(connection, dialect, table.toString()));
    }

    /**
     * Returns whether a table exists.
     *
     * @throws SQLException if it may not be read, or the database does not answer
     */
    public static boolean exists(Connection connection, Dialect dialect, String table) throws SQLException {
        try {
            new SqlText("SELECT 1 FROM " + table + " WHERE 1 = 0").finds(connection);
            return true;
        } catch (SQLException e) {
            if (dialect.failure(e) == Failure.MISSING_TABLE) {
                return false;
            }
            throw e;
        }
    }

    /** Returns a copy with another table name in this database. */
    public OwnTable named(SqlName newName) {
        return new OwnTable(transactions, newName, defaultName);
    }

    /** Returns a copy with another timeout. */
    public OwnTable withTimeout(Duration timeout) {
        return new OwnTable(transactions.withTimeout(timeout), name, defaultName);
    }

    /** Runs work of one or more statements; see {@link Transactions#commit}. */
    public <T> T in(String purpose, Transactions.Work<T> work) {
        return ifTableExists(() -> transactions.commit(purpose, reportingMissingTable(work)));
    }

    /** Runs work that is a single statement on databases that support it; see {@link Transactions#commitEach}. */
    public <T> T each(String purpose, Transactions.Work<T> work, Predicate<T> isNothing) {
        return ifTableExists(() -> transactions.commitEach(purpose, reportingMissingTable(work), isNothing));
    }

    /** Runs work, and runs it again if the table was dropped and idgen may create it. */
    private <T> T ifTableExists(Supplier<T> work) {
        try {
            return work.get();
        } catch (AllocationException e) {
            if (e.code() == ErrorCode.TABLE_MISSING && transactions.looksForTablesAgain()) {
                return work.get();
            }
            throw e;
        }
    }

    /** Returns whether rows may disappear while this process runs. */
    public boolean mayLoseRows() {
        return transactions.mayLoseRows();
    }

    private <T> Transactions.Work<T> reportingMissingTable(Transactions.Work<T> work) {
        return (connection, dialect) -> {
            try {
                return work.in(connection, dialect);
            } catch (SQLException e) {
                if (dialect.failure(e) == Failure.MISSING_TABLE) {
                    throw new AllocationException(
                            ErrorCode.TABLE_MISSING,
                            name + " does not exist (" + e.getMessage()
                                    + "); create it with the Flyway location db/idgen/" + dialect.name()
                                    + ", with idgen.jdbc.initialize-schema=always, with IdgenSchema.create, or with\n"
                                    + SchemaScript.createTable(dialect, defaultName, name),
                            e);
                }
                throw e;
            }
        };
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
