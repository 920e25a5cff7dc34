package io.idgen.proof.scale;

import io.idgen.core.lease.LeaseStore;
import java.util.Map;

/** One server with leases, and what it reports about itself. */
interface Server extends AutoCloseable {

    /** The product. */
    enum Kind {
        POSTGRESQL,
        MYSQL,
        REDIS;

        /** Starts a server whose commits survive a crash, and opens connections to it. */
        Server start(int connections) throws Exception {
            return switch (this) {
                case POSTGRESQL -> SqlServer.postgreSql(connections);
                case MYSQL -> SqlServer.mySql(connections);
                case REDIS -> new RedisOfRun(connections);
            };
        }
    }

    /** Returns the product and its version. */
    String version() throws Exception;

    /** Returns the leases of a new process. It shares the connections with the others, and nothing that it has read. */
    LeaseStore leases();

    /** Returns the settings that lead to it, for a process with connections of its own. */
    Map<String, String> settings();

    /** Returns the number of its first process. */
    long pid() throws Exception;

    /** Returns what the server has counted since it started. */
    Map<String, Long> counters() throws Exception;

    /** Returns figures that rise and fall. */
    Map<String, Long> gauges() throws Exception;

    @Override
    void close();
}
