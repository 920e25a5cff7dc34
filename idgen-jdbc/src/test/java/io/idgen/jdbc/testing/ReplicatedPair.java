package io.idgen.jdbc.testing;

import java.sql.SQLException;

/** A primary and its asynchronous replica, which can take over on the primary's port without the last commits. */
public interface ReplicatedPair extends AutoCloseable {
    /** The JDBC URL of the primary, whichever server that is; with user and password inside. */
    String url();

    /** The number of the primary's last transaction. */
    long transaction() throws SQLException;

    /**
     * Returns when the replica has all that the primary had committed when this was called; later commits it may never
     * get.
     */
    void cut() throws SQLException;

    /** Kills the primary, promotes its replica and moves it to the primary's port. A new replica then follows it. */
    void takeOver() throws SQLException;

    @Override
    void close();
}
