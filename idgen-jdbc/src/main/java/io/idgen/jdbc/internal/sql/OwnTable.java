package io.idgen.jdbc.internal.sql;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import java.sql.SQLException;
import java.time.Duration;

/** A table of idgen's on one database: what is done there, and its absence told with the statement that makes it. */
public final class OwnTable {
    private final Transactions transactions;
    private final SqlName name;
    private final String defaultName;

    /**
     * A table.
     *
     * @param defaultName what it is called in the scripts
     */
    public OwnTable(Transactions transactions, SqlName name, String defaultName) {
        this.transactions = transactions;
        this.name = name;
        this.defaultName = defaultName;
    }

    /** The same under another name, with another limit on how long the database may take. */
    public OwnTable with(SqlName newName, Duration timeout) {
        return new OwnTable(transactions.withTimeout(timeout), newName, defaultName);
    }

    /** Does work that may be several statements; see {@link Transactions#commit}. */
    public <T> T in(String purpose, Transactions.Work<T> work) {
        return transactions.commit(purpose, telling(work));
    }

    /** Does work that is one statement where the database has one for it; see {@link Transactions#commitEach}. */
    public <T> T each(String purpose, Transactions.Work<T> work) {
        return transactions.commitEach(purpose, telling(work));
    }

    private <T> Transactions.Work<T> telling(Transactions.Work<T> work) {
        return (connection, dialect) -> {
            try {
                return work.in(connection, dialect);
            } catch (SQLException e) {
                if (dialect.isMissingTable(e)) {
                    throw new AllocationException(
                            ErrorCode.TABLE_MISSING,
                            name + " does not exist (" + e.getMessage()
                                    + "); create it by the Flyway location db/idgen/" + dialect.name()
                                    + ", by idgen.jdbc.initialize-schema=always or IdgenSchema.create, or by\n"
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
