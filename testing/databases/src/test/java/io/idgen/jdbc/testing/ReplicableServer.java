package io.idgen.jdbc.testing;

/** A server of MariaDB or MySQL that can be a primary or a replica. */
interface ReplicableServer extends ServerProcess {
    int port();

    /** The JDBC URL of one of its databases, with user and password inside. */
    String url(String database);

    /** Changes the port from the next start on. */
    void moveTo(int newPort);

    /**
     * Creates a server with a copy of this server's data, without its binary log and without its identity. This server
     * must be stopped.
     */
    ReplicableServer copy(String... options);

    /**
     * Replaces the data of this server, which runs, by a physical backup of another one, and starts it again. Port and
     * identity stay the same.
     */
    void rebuildFrom(ReplicableServer primary);
}
