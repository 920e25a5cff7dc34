package io.idgen.proof;

import io.idgen.core.internal.lease.RowHistory.Change;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The servers of a run, and what can happen to them. */
interface Store extends AutoCloseable {

    /** The product, and how many servers it has. */
    enum Kind {
        POSTGRESQL,
        MARIADB,
        MYSQL,
        GALERA,
        GROUP_REPLICATION,
        REDIS,
        ZOOKEEPER;

        Store start() throws Exception {
            return switch (this) {
                case POSTGRESQL, MARIADB, MYSQL -> new SqlPair(this);
                case GALERA, GROUP_REPLICATION -> new SqlCluster(this);
                case REDIS -> new RedisPair();
                case ZOOKEEPER -> new ZooKeeperServers();
            };
        }
    }

    /** Ends a fault. */
    interface Cure {
        Cure NONE = () -> {};

        void end() throws Exception;
    }

    /** Returns the product and its version. */
    String version() throws Exception;

    /** Returns the address at which a process, counted from 0, reaches the store now. */
    String url(int process);

    /** Whether the store also has counters, not only leases. */
    default boolean hasCounters() {
        return true;
    }

    /** Returns the faults that not each store has. */
    Set<Fault> faults();

    /** Lets a fault of the servers happen, other than a takeover. */
    Cure strike(Fault fault, double extent) throws Exception;

    /** Ends the replication, so that the replica lacks all later commits. */
    default void cut() throws Exception {
        throw new UnsupportedOperationException("no replica");
    }

    /** Kills the primary, and lets the replica take over. */
    default void takeOver() throws Exception {
        throw new UnsupportedOperationException("no replica");
    }

    /** Returns all changes of the worker ids of a namespace that the server still has; empty without a history. */
    default Optional<List<Change>> history(String namespace) throws Exception {
        return Optional.empty();
    }

    @Override
    void close();
}
