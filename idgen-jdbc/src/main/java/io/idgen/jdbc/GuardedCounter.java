package io.idgen.jdbc;

import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Counter.Guard;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.sql.ServerIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A counter, with its guard if the table has the guard's columns. Queries the database once. Safe for many threads. */
final class GuardedCounter {

    private final Counter counter;
    private final @Nullable String identity;

    private volatile @Nullable Counter known;

    /**
     * Creates a counter. Sends nothing to the database.
     *
     * @param counter the counter, without a guard
     * @param identity the name of the server, or null if it identifies itself
     */
    GuardedCounter(Counter counter, @Nullable String identity) {
        this.counter = counter;
        this.identity = identity;
    }

    /** Returns the counter, with a guard if this database supports one. */
    Counter in(Connection connection, Dialect dialect) throws SQLException {
        Counter found = known;
        if (found == null) {
            found = ask(connection, dialect);
            known = found;
        }
        return found;
    }

    private Counter ask(Connection connection, Dialect dialect) throws SQLException {
        Optional<String> now = dialect.statementMillis();
        if (now.isEmpty() || !hasColumns(connection, dialect)) {
            return counter;
        }
        Guard guard = identity == null
                ? new Guard(dialect.serverIdentityOfCounters(connection), List.of(), now.get())
                : new Guard("?", List.of(identity), now.get());
        return new Counter(counter.table(), counter.column(), counter.keys(), counter.stride(), guard);
    }

    private boolean hasColumns(Connection connection, Dialect dialect) throws SQLException {
        Set<String> missing = OwnTable.missing(connection, counter.table(), Guard.COLUMNS);
        if (!missing.isEmpty()) {
            boolean hasReplicas = identity != null || ServerIdentity.mayHaveReplicas(dialect);
            System.getLogger(GuardedCounter.class.getName())
                    .log(
                            hasReplicas ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
                            "{0} has no columns {1}: if a replica that lacks the last commits takes over, ids repeat; add the columns"
                                    + " as idgen''s scripts define them",
                            counter.table(),
                            missing);
        }
        return missing.isEmpty();
    }
}
