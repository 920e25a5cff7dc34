package io.idgen.jdbc.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A MariaDB primary and its replica. */
public final class MariaDbPair implements ReplicatedPair {
    private static final String DATABASE = "idgen";

    private int servers;
    private EmbeddedMariaDb primary = new EmbeddedMariaDb(options());
    private EmbeddedMariaDb replica = new EmbeddedMariaDb(options());

    /** Starts both servers and the replication, and creates an empty database. */
    public MariaDbPair() {
        primary.start();
        replica.start();
        follow("");
        TestDatabase.execute(primary.url("mysql"), "CREATE DATABASE " + DATABASE);
    }

    /** Gives each server its own id, which replication requires. */
    private String[] options() {
        servers++;
        return new String[] {
            "--server-id=" + servers,
            "--log-bin=bin",
            "--log-slave-updates",
            "--sync-binlog=1",
            "--innodb-flush-log-at-trx-commit=1"
        };
    }

    /** Makes the replica follow the primary from a position on. */
    private void follow(String position) {
        TestDatabase.execute(replica.url("mysql"), "SET GLOBAL gtid_slave_pos = '" + position + "'");
        TestDatabase.execute(
                replica.url("mysql"),
                "CHANGE MASTER TO master_host='127.0.0.1', master_port=" + primary.port() + ", master_user='"
                        + EmbeddedMariaDb.USER + "', master_password='" + EmbeddedMariaDb.PASSWORD
                        + "', master_ssl=0, master_use_gtid=slave_pos, master_connect_retry=1");
        TestDatabase.execute(replica.url("mysql"), "START SLAVE");
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
        String position = text(primary.url("mysql"), "SELECT @@gtid_current_pos");
        return Long.parseLong(position.substring(position.lastIndexOf('-') + 1));
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
    public void takeOver() throws SQLException {
        RestartableServer.kill(primary);
        TestDatabase.execute(replica.url("mysql"), "RESET SLAVE ALL");
        String position = text(replica.url("mysql"), "SELECT @@gtid_current_pos");
        replica.stop();
        replica.moveTo(primary.port());
        primary.delete();
        primary = replica;
        replica = EmbeddedMariaDb.copyOf(primary, options());
        primary.start();
        replica.start();
        follow(position);
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
