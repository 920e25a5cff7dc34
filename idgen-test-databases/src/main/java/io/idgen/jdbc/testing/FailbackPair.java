package io.idgen.jdbc.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Function;

/**
 * Two servers of MariaDB or MySQL that take turns as the primary. Both run all the time, so a former primary has its
 * old identity when it becomes the primary again. After a takeover, the former primary is rebuilt from the data of the
 * new one, and follows it.
 */
public final class FailbackPair implements ReplicatedPair {
    private static final String DATABASE = "idgen";
    private static final List<String> TABLES =
            List.of("idgen_worker", "idgen_segment", "idgen_sequence", "idgen_stepped");

    private final Words words;
    private Server primary;
    private Server replica;

    private record Server(ServerProcess process, int port, Function<String, String> urls) {
        String admin() {
            return urls.apply("mysql");
        }

        void execute(String sql) {
            TestDatabase.execute(admin(), sql);
        }

        String text(String query) throws SQLException {
            try (Connection connection = DriverManager.getConnection(admin());
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(query)) {
                row.next();
                return row.getString(1);
            }
        }
    }

    /** The statements that differ between the two databases. */
    private record Words(String position, String reached, String stop, List<String> begin, String follow) {
        static final Words MARIADB = new Words(
                "@@gtid_current_pos",
                "MASTER_GTID_WAIT",
                "SLAVE",
                List.of("RESET MASTER", "SET GLOBAL gtid_slave_pos = '%s'"),
                "CHANGE MASTER TO master_host='127.0.0.1', master_port=%d, master_user='" + EmbeddedMariaDb.USER
                        + "', master_password='" + EmbeddedMariaDb.PASSWORD
                        + "', master_ssl=0, master_use_gtid=slave_pos, master_connect_retry=1");

        static final Words MYSQL = new Words(
                "@@global.gtid_executed",
                "WAIT_FOR_EXECUTED_GTID_SET",
                "REPLICA",
                List.of("RESET BINARY LOGS AND GTIDS", "SET GLOBAL gtid_purged = '%s'"),
                "CHANGE REPLICATION SOURCE TO source_host='127.0.0.1', source_port=%d, source_user='"
                        + EmbeddedMySql.USER + "', source_password='" + EmbeddedMySql.PASSWORD
                        + "', source_auto_position=1, get_source_public_key=1, source_connect_retry=1");
    }

    private FailbackPair(Words words, Server primary, Server replica) throws SQLException {
        this.words = words;
        this.primary = primary;
        this.replica = replica;
        primary.process.start();
        replica.process.start();
        follow();
        primary.execute("CREATE DATABASE " + DATABASE);
    }

    public static FailbackPair ofMariaDb() throws SQLException {
        return new FailbackPair(Words.MARIADB, mariaDb(1), mariaDb(2));
    }

    private static Server mariaDb(int id) {
        EmbeddedMariaDb server = new EmbeddedMariaDb(
                "--server-id=" + id,
                "--log-bin=bin",
                "--log-slave-updates",
                "--sync-binlog=1",
                "--innodb-flush-log-at-trx-commit=1");
        return new Server(server, server.port(), server::url);
    }

    public static FailbackPair ofMySql() throws SQLException {
        return new FailbackPair(Words.MYSQL, mySql(1), mySql(2));
    }

    private static Server mySql(int id) {
        EmbeddedMySql server = new EmbeddedMySql(
                "--server-id=" + id, "--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON");
        return new Server(server, server.port(), server::url);
    }

    private void follow() throws SQLException {
        String position = primary.text("SELECT " + words.position).replace("\n", "");
        for (String each : words.begin) {
            replica.execute(String.format(each, position));
        }
        replica.execute(String.format(words.follow, primary.port));
        replica.execute("START " + words.stop);
        replica.execute("SET GLOBAL read_only = 1");
    }

    @Override
    public String url() {
        return primary.urls.apply(DATABASE);
    }

    @Override
    public String replicaUrl() {
        return replica.urls.apply(DATABASE);
    }

    @Override
    public long transaction() throws SQLException {
        String position = primary.text("SELECT " + words.position);
        return Long.parseLong(position.replaceFirst("(?s).*[-:]", ""));
    }

    @Override
    public void cut() throws SQLException {
        String position = primary.text("SELECT " + words.position).replace("\n", "");
        String reached = replica.text("SELECT " + words.reached + "('" + position + "', 30)");
        if (!"0".equals(reached)) {
            throw new IllegalStateException("the replica does not follow: " + reached);
        }
        replica.execute("STOP " + words.stop);
    }

    /** Fences off the primary and promotes its replica. Both keep their ports, and neither is restarted. */
    @Override
    public void takeOver() throws SQLException {
        primary.execute("SET GLOBAL read_only = 1");
        replica.execute("RESET " + words.stop + " ALL");
        replica.execute("SET GLOBAL read_only = 0");
        Server former = primary;
        primary = replica;
        replica = former;
        for (String table : TABLES) {
            copy(table);
        }
        follow();
    }

    /** Gives the replica the rows of the primary, as a dump does. */
    private void copy(String table) throws SQLException {
        try (Connection from = DriverManager.getConnection(url());
                Connection to = DriverManager.getConnection(replicaUrl());
                Statement select = from.createStatement();
                Statement delete = to.createStatement();
                ResultSet rows = select.executeQuery("SELECT * FROM " + table)) {
            to.setAutoCommit(false);
            delete.execute("DELETE FROM " + table);
            int columns = rows.getMetaData().getColumnCount();
            try (PreparedStatement insert =
                    to.prepareStatement("INSERT INTO " + table + " VALUES (?" + ", ?".repeat(columns - 1) + ")")) {
                while (rows.next()) {
                    for (int i = 1; i <= columns; i++) {
                        insert.setObject(i, rows.getObject(i));
                    }
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            to.commit();
        }
    }

    @Override
    public void close() {
        for (Server each : List.of(primary, replica)) {
            each.process.stop();
            each.process.delete();
        }
    }
}
