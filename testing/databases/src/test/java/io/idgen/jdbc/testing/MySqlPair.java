package io.idgen.jdbc.testing;

import java.sql.SQLException;

/** A primary of MariaDB or MySQL and its replica. */
abstract class MySqlPair implements ReplicatedPair {
    private static final String DATABASE = "idgen";

    final Replication replication;
    ReplicableServer primary;
    ReplicableServer replica;

    /** Starts both servers and the replication, and creates an empty database, which both servers have at the end. */
    MySqlPair(Replication replication) throws SQLException {
        this.replication = replication;
        primary = replication.server(1);
        replica = replication.server(2);
        primary.start();
        replica.start();
        replication.follow(primary, replica, replication.positionOf(primary));
        Replication.execute(primary, "CREATE DATABASE " + DATABASE);
        awaitReplica();
    }

    @Override
    public String url() {
        return primary.url(DATABASE);
    }

    @Override
    public String replicaUrl() {
        return replica.url(DATABASE);
    }

    @Override
    public long transaction() throws SQLException {
        return replication.transactionOf(primary);
    }

    @Override
    public final void awaitReplica() throws SQLException {
        replication.catchUp(primary, replica);
    }

    @Override
    public void cut() throws SQLException {
        replication.cut(primary, replica);
    }

    @Override
    public void pauseReplay() throws SQLException {
        replication.catchUp(primary, replica);
        replication.pause(replica);
    }

    @Override
    public void resumeReplay() throws SQLException {
        replication.resume(replica);
        replication.catchUp(primary, replica);
    }

    @Override
    public void crash() {
        RestartableServer.kill(primary);
        primary.start();
    }

    @Override
    public void close() {
        primary.stop();
        replica.stop();
        primary.delete();
        replica.delete();
    }
}
