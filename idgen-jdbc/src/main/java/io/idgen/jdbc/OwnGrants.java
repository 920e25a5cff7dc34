package io.idgen.jdbc;

import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The last grant of each worker id in embedded databases, for all generators of this process. Tests truncate tables, or
 * drop them and create them again. The new rows begin at horizon 0, although a generator of this process may still use
 * the window of an old row. A row below its last grant is therefore raised before another generator leases it. No
 * other process can have such a database, so no other grants exist.
 *
 * @param database the database and the table; null for a server, whose rows other processes lease too
 */
record OwnGrants(@Nullable String database) {
    private static final Map<List<Object>, Lease> LAST = new ConcurrentHashMap<>();

    /** Returns the key of a worker id. The hash code of a record would be linked before the first id. */
    private static List<Object> key(String database, LeaseTerms terms, int workerId) {
        return List.of(database, terms.namespace(), workerId);
    }

    static OwnGrants in(Connection connection, String table) throws SQLException {
        String url = connection.getMetaData().getURL();
        boolean embedded = url != null && EmbeddedDatabase.isOwnedByThisProcess(url);
        return new OwnGrants(embedded ? url.split("[;?]", 2)[0] + " " + table : null);
    }

    /** Returns the last grant of a worker id, if its row lies below it; null if it does not. */
    @Nullable
    Lease above(LeaseTerms terms, Row row) {
        Lease last = database == null ? null : LAST.get(key(database, terms, row.workerId()));
        return last != null && row.sameServer() && row.horizonMillis() < last.horizonMillis() ? last : null;
    }

    /**
     * Runs the statement of a grant, which is recorded before it: if its answer is lost, the last grant is not below
     * what the database has committed. A grant that the database refuses is forgotten again.
     *
     * @param lease with the horizon that the statement sets
     * @param fromMillis the horizon of the row as it was read
     * @return false if the database refuses it, or if another generator has got ticks of this worker id meanwhile
     */
    boolean grant(LeaseTerms terms, Lease lease, long fromMillis, BooleanSupplier statement) {
        if (database == null) {
            return statement.getAsBoolean();
        }
        List<Object> key = key(database, terms, lease.workerId());
        Lease before = LAST.get(key);
        if (before != null && !before.token().equals(lease.token()) && fromMillis < before.horizonMillis()) {
            return false;
        }
        if (before == null ? LAST.putIfAbsent(key, lease) != null : !LAST.replace(key, before, lease)) {
            return false;
        }
        boolean granted = statement.getAsBoolean();
        if (!granted && before == null) {
            LAST.remove(key, lease);
        } else if (!granted) {
            LAST.replace(key, lease, before);
        }
        return granted;
    }

    /** Records before a release that its holder uses no more ticks from a horizon on. */
    void release(LeaseTerms terms, Lease lease, long horizonMillis) {
        if (database != null) {
            LAST.computeIfPresent(
                    key(database, terms, lease.workerId()),
                    (key, last) -> last.token().equals(lease.token()) ? lease.withHorizon(horizonMillis) : last);
        }
    }
}
