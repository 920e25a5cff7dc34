package io.idgen.jdbc.testing;

import java.sql.SQLException;

/** A primary and its asynchronous replica, which can take over on the primary's port without the last commits. */
public interface ReplicatedPair extends AutoCloseable {
    /** The JDBC URL of the primary, whichever of the two that is; with user and password inside. */
    String url();

    /**
     * Returns when the replica has all that the primary had committed when this was called; later commits it may never
     * get.
     */
    void cut() throws SQLException;

    /** The primary dies, and its replica is promoted and takes its port. */
    void takeOver() throws SQLException;

    @Override
    void close();
}
