package io.idgen.jdbc.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.LockSupport;

/** A PostgreSQL primary and a standby that was created from a copy of its files. */
public final class PostgreSqlPair implements ReplicatedPair {
    private static final String DATABASE = "idgen";
    private static final int TRIES = 500;
    private static final long BETWEEN_NANOS = 20_000_000;

    private EmbeddedPostgreSql primary = new EmbeddedPostgreSql("on");
    private EmbeddedPostgreSql standby;

    /** Starts both servers and the replication, and creates an empty database. */
    public PostgreSqlPair() throws SQLException {
        primary.start();
        TestDatabase.execute(url(primary, "postgres"), "CREATE DATABASE " + DATABASE);
        primary.stop();
        standby = EmbeddedPostgreSql.standbyOf(primary);
        primary.start();
        standby.start();
    }

    private static String url(EmbeddedPostgreSql server, String database) {
        return "jdbc:postgresql://localhost:" + server.port() + "/" + database + "?user=" + EmbeddedPostgreSql.USER
                + "&password=" + EmbeddedPostgreSql.PASSWORD;
    }

    @Override
    public String url() {
        return url(primary, DATABASE);
    }

    @Override
    public String replicaUrl() {
        return url(standby, DATABASE);
    }

    /** The URL of the primary for its superuser. */
    public String superuserUrl() {
        return "jdbc:postgresql://localhost:" + primary.port() + "/" + DATABASE + "?user=postgres";
    }

    /** The URL of the standby, which has all commits of the primary so far. */
    public String standbyUrl() throws SQLException {
        awaitReplica();
        return url(standby, DATABASE);
    }

    /**
     * Kills the primary and promotes the standby on its own port. The first checkpoint of the promoted server lasts for
     * minutes if it has many pages to write.
     *
     * @return the URL of the promoted server
     */
    public String promote() throws SQLException {
        awaitReplica();
        RestartableServer.kill(primary);
        await(standby, "SELECT pg_promote(true, 30)", "t");
        return url(standby, DATABASE);
    }

    int primaryPort() {
        return primary.port();
    }

    int standbyPort() {
        return standby.port();
    }

    @Override
    public void pauseReplay() throws SQLException {
        awaitReplica();
        TestDatabase.execute(asSuperuser(standby), "SELECT pg_wal_replay_pause()");
        await(standby, "SELECT pg_get_wal_replay_pause_state()", "paused");
    }

    @Override
    public void resumeReplay() throws SQLException {
        TestDatabase.execute(asSuperuser(standby), "SELECT pg_wal_replay_resume()");
        awaitReplica();
    }

    @Override
    public long transaction() throws SQLException {
        return Long.parseLong(text(primary, "SELECT pg_snapshot_xmax(pg_current_snapshot())"));
    }

    @Override
    public void cut() throws SQLException {
        awaitReplica();
        TestDatabase.execute(asSuperuser(standby), "ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port=1'");
        TestDatabase.execute(asSuperuser(standby), "SELECT pg_reload_conf()");
        await(standby, "SELECT count(*) FROM pg_stat_wal_receiver", "0");
    }

    @Override
    public void awaitReplica() throws SQLException {
        String position = text(primary, "SELECT pg_current_wal_flush_lsn()");
        await(standby, "SELECT pg_last_wal_replay_lsn() >= '" + position + "'::pg_lsn", "t");
    }

    @Override
    public void crash() {
        RestartableServer.kill(primary);
        primary.start();
    }

    @Override
    public void takeOver() throws SQLException {
        RestartableServer.kill(primary);
        await(standby, "SELECT pg_promote(true, 30)", "t");
        standby.stop();
        standby.moveTo(primary.port());
        primary.delete();
        primary = standby;
        standby = EmbeddedPostgreSql.standbyOf(primary);
        primary.start();
        standby.start();
    }

    private static String asSuperuser(EmbeddedPostgreSql server) {
        return "jdbc:postgresql://localhost:" + server.port() + "/postgres?user=postgres";
    }

    private static String text(EmbeddedPostgreSql server, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(asSuperuser(server));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void await(EmbeddedPostgreSql server, String query, String answer) throws SQLException {
        String last = "";
        for (int tries = 0; tries < TRIES; tries++) {
            last = text(server, query);
            if (answer.equals(last)) {
                return;
            }
            LockSupport.parkNanos(BETWEEN_NANOS);
        }
        throw new IllegalStateException(query + " is " + last);
    }

    @Override
    public void close() {
        primary.stop();
        standby.stop();
        primary.delete();
        standby.delete();
    }
}
