package io.idgen.jdbc.testing;

import java.sql.SQLException;

/** A primary and its asynchronous replica, which can take over on the primary's port without the last commits. */
public interface ReplicatedPair extends AutoCloseable {
    /** The JDBC URL of the current primary, with user and password inside. */
    String url();

    /** The JDBC URL of the current replica. */
    String replicaUrl();

    /** The number of the primary's last transaction. */
    long transaction() throws SQLException;

    /** Waits until the replica has all commits of the primary so far. */
    void awaitReplica() throws SQLException;

    /** Like {@link #awaitReplica()}, and ends the replication. The replica never gets later commits. */
    void cut() throws SQLException;

    /** Waits until the replica has all commits of the primary so far. It then gets later ones, but shows none. */
    void pauseReplay() throws SQLException;

    /** Ends a pause, and waits until the replica has all commits of the primary so far. */
    void resumeReplay() throws SQLException;

    /** Kills the primary, as a power failure does, and starts it again with the same data. */
    void crash();

    /** Kills the primary, promotes its replica and moves it to the primary's port. A new replica then follows it. */
    void takeOver() throws SQLException;

    @Override
    void close();
}
