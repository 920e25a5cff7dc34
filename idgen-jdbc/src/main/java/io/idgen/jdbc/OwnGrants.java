package io.idgen.jdbc;

import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
    private static final Map<Key, Lease> LAST = new ConcurrentHashMap<>();

    private record Key(String database, String namespace, int workerId) {}

    static OwnGrants in(Connection connection, String table) throws SQLException {
        String url = connection.getMetaData().getURL();
        boolean embedded = url != null && EmbeddedDatabase.isOwnedByThisProcess(url);
        return new OwnGrants(embedded ? url.split("[;?]", 2)[0] + " " + table : null);
    }

    /** Returns the last grant of a worker id, if its row lies below it; null if it does not. */
    @Nullable
    Lease above(LeaseTerms terms, Row row) {
        Lease last = database == null ? null : LAST.get(new Key(database, terms.namespace(), row.workerId()));
        return last != null && row.sameServer() && row.horizonMillis() < last.horizonMillis() ? last : null;
    }

    /**
     * Records a grant before its statement runs, which may happen twice. So the last grant is never below one that the
     * database has committed; a refused one leaves it too high, which only costs ticks.
     *
     * @return false if another generator has got ticks of this worker id since the row was read
     */
    boolean acquire(LeaseTerms terms, Row row, Lease lease) {
        return database == null
                || LAST.compute(
                                new Key(database, terms.namespace(), row.workerId()),
                                (key, last) -> last != null
                                                && !last.token().equals(lease.token())
                                                && row.horizonMillis() < last.horizonMillis()
                                        ? last
                                        : lease)
                        == lease;
    }

    /** Records an extension before its statement runs, or before a release the end of the ticks in use. */
    void change(LeaseTerms terms, Lease lease, long horizonMillis) {
        if (database != null) {
            LAST.computeIfPresent(
                    new Key(database, terms.namespace(), lease.workerId()),
                    (key, last) -> last.token().equals(lease.token()) ? lease.withHorizon(horizonMillis) : last);
        }
    }
}
