package io.idgen.jdbc.testing;

import java.sql.SQLException;

/** Three database servers on this machine, each with all data. A test can kill one of them and start it again. */
public interface Cluster extends AutoCloseable {
    /** The number of nodes: {@value}. */
    int NODES = 3;

    /** Drops the database and creates it again, on all nodes. */
    void empty();

    /** The JDBC URL of a node, counted from 0, with user and password inside. */
    String url(int node);

    /** The JDBC URL of all nodes. Connections go to this node, or to the next one that answers. */
    String urlBeginningAt(int node);

    /** Returns how many transactions all nodes together have rolled back because of conflicts with other nodes. */
    long conflicts() throws SQLException;

    /** Returns the state of the cluster as each node that answers sees it. */
    String view();

    /** Kills a node, as a power failure does; returns when it has ended. */
    void kill(int node);

    /** Starts a node that was killed; returns when it has caught up with the others. */
    void restart(int node) throws Exception;

    @Override
    void close();
}
