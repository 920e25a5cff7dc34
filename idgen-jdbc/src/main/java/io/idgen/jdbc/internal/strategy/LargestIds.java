package io.idgen.jdbc.internal.strategy;

import io.idgen.core.AllocationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.util.OptionalLong;

/** Reads the largest ids of the entities' tables. A table that does not exist yet has none. */
final class LargestIds {
    private final Transactions transactions;

    LargestIds(Transactions transactions) {
        this.transactions = transactions;
    }

    /**
     * Returns the largest id in a column; empty if there is no table, or if it cannot be read, which is logged.
     *
     * @throws StoreUnavailableException if the database does not answer
     */
    OptionalLong in(String column) {
        try {
            SqlName name = SqlName.parse(column, 2, 4);
            return OwnTable.exists(transactions, name.table())
                    ? OptionalLong.of(transactions.commit(
                            "reading the largest id in " + name,
                            (connection, dialect) -> LargestValue.of(connection, dialect, name)))
                    : OptionalLong.empty();
        } catch (StoreUnavailableException e) {
            throw e; // the next attempt reads again
        } catch (AllocationException | IllegalArgumentException e) {
            System.getLogger(LargestIds.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "the ids in {0} are not compared with the layout in use: {1}",
                            column,
                            e.getMessage());
            return OptionalLong.empty();
        }
    }
}
