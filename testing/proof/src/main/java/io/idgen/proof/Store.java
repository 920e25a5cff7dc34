package io.idgen.proof;

import java.util.Set;

/** The servers of a run, and what can happen to them. */
interface Store extends AutoCloseable {

    /** The product, and how many servers it has. */
    enum Kind {
        H2,
        POSTGRESQL,
        MARIADB,
        MYSQL,
        GALERA,
        GROUP_REPLICATION,
        REDIS,
        ZOOKEEPER;

        Store start() throws Exception {
            return switch (this) {
                case H2 -> new H2Store();
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

    /** Returns the sources of ids in each process. */
    default Set<Source> sources() {
        return Source.on(url(0));
    }

    /** Returns the faults that not each store has. */
    Set<Fault> faults();

    /** Returns whether the run has a fault. */
    default boolean has(Fault fault) {
        return fault.isOfEachStore() || faults().contains(fault);
    }

    /** Lets a fault of the servers happen. For one that goes back, this is the time to which its cure goes back. */
    Cure strike(Fault fault, double extent) throws Exception;

    /** Makes a backup, which {@link Fault#RESTORED} puts back. */
    default void backUp() throws Exception {
        throw new UnsupportedOperationException("no backup");
    }

    @Override
    void close();
}
