package io.idgen.jdbc.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A primary of MariaDB and its replica. */
public final class MariaDbPair implements ReplicatedPair {
    private static final String DATABASE = "idgen";
    private static final String FLUSHED = "--innodb-flush-log-at-trx-commit=1";

    private final EmbeddedMariaDb primary =
            new EmbeddedMariaDb("--server-id=1", "--log-bin=bin", "--sync-binlog=1", FLUSHED);
    private final EmbeddedMariaDb replica = new EmbeddedMariaDb("--server-id=2", FLUSHED);

    /** Both run, the replica follows, and an empty database is there. */
    public MariaDbPair() {
        primary.start();
        replica.start();
        TestDatabase.execute(
                replica.url("mysql"),
                "CHANGE MASTER TO master_host='127.0.0.1', master_port=" + primary.port() + ", master_user='"
                        + EmbeddedMariaDb.USER + "', master_password='" + EmbeddedMariaDb.PASSWORD
                        + "', master_ssl=0, master_use_gtid=slave_pos, master_connect_retry=1");
        TestDatabase.execute(replica.url("mysql"), "START SLAVE");
        TestDatabase.execute(primary.url("mysql"), "CREATE DATABASE " + DATABASE);
    }

    @Override
    public String url() {
        return primary.url(DATABASE);
    }

    @Override
    public void cut() throws SQLException {
        String position = text(primary.url("mysql"), "SELECT @@gtid_binlog_pos");
        String reached = text(replica.url("mysql"), "SELECT MASTER_GTID_WAIT('" + position + "', 30)");
        if (!"0".equals(reached)) {
            throw new IllegalStateException("the replica does not follow: " + reached);
        }
        TestDatabase.execute(replica.url("mysql"), "STOP SLAVE");
    }

    @Override
    public void takeOver() {
        RestartableServer.kill(primary);
        TestDatabase.execute(replica.url("mysql"), "RESET SLAVE ALL");
        replica.stop();
        replica.moveTo(primary.port());
        replica.start();
    }

    private static String text(String url, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    @Override
    public void close() {
        primary.stop();
        replica.stop();
        primary.delete();
        replica.delete();
    }
}
