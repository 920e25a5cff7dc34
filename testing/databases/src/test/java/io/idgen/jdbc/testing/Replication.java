package io.idgen.jdbc.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Replication between two servers of MariaDB or MySQL: what differs between the kinds. */
record Replication(
        Function<String[], ReplicableServer> server,
        List<String> options,
        String position,
        String received,
        ToLongFunction<String> transactions,
        String reached,
        String stop,
        List<String> begin,
        String source) {
    static final Replication MARIADB = new Replication(
            EmbeddedMariaDb::new,
            List.of("--log-slave-updates", "--sync-binlog=1", "--innodb-flush-log-at-trx-commit=1"),
            "@@gtid_current_pos",
            "Gtid_IO_Pos",
            Replication::lastNumber,
            "MASTER_GTID_WAIT",
            "SLAVE",
            List.of("RESET MASTER", "SET GLOBAL gtid_slave_pos = '%s'"),
            "CHANGE MASTER TO master_host='127.0.0.1', master_port=%d, master_user='" + EmbeddedMariaDb.USER
                    + "', master_password='" + EmbeddedMariaDb.PASSWORD
                    + "', master_ssl=0, master_use_gtid=slave_pos, master_connect_retry=1");

    static final Replication MYSQL = new Replication(
            EmbeddedMySql::new,
            List.of("--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--plugin-load-add=mysql_clone.so"),
            "@@global.gtid_executed",
            "Retrieved_Gtid_Set",
            Replication::sizeOfRanges,
            "WAIT_FOR_EXECUTED_GTID_SET",
            "REPLICA",
            List.of("RESET BINARY LOGS AND GTIDS", "SET GLOBAL gtid_purged = '%s'"),
            "CHANGE REPLICATION SOURCE TO source_host='127.0.0.1', source_port=%d, source_user='"
                    + EmbeddedMySql.USER + "', source_password='" + EmbeddedMySql.PASSWORD
                    + "', source_auto_position=1, get_source_public_key=1, source_connect_retry=1, source_retry_count=0");

    private static final Pattern RANGE = Pattern.compile(":(\\d+)(?:-(\\d+))?");

    /** Creates a server, whose id must differ from that of the other one. */
    ReplicableServer server(int id) {
        return server.apply(options(id));
    }

    /** The options of a server whose commits survive a kill. */
    String[] options(int id) {
        return Stream.concat(Stream.of("--server-id=" + id, "--log-bin=bin"), options.stream())
                .toArray(String[]::new);
    }

    /** Returns the position of a server after its last commit. */
    String positionOf(ReplicableServer primary) throws SQLException {
        return text(primary, "SELECT " + position).replace("\n", "");
    }

    /** Returns the number of a server's last transaction. */
    long transactionOf(ReplicableServer primary) throws SQLException {
        return transactions.applyAsLong(positionOf(primary));
    }

    /** A position has the number of the last transaction: domain-server-number. */
    private static long lastNumber(String position) {
        return Long.parseLong(position.substring(position.lastIndexOf('-') + 1));
    }

    /** A position has ranges for each server that was the primary: server:first-last:first-last,server:first. */
    private static long sizeOfRanges(String position) {
        return RANGE.matcher(position)
                .results()
                .mapToLong(range -> range.group(2) == null
                        ? 1
                        : Long.parseLong(range.group(2)) - Long.parseLong(range.group(1)) + 1)
                .sum();
    }

    /** Makes a replica follow a primary from a position on. */
    void follow(ReplicableServer primary, ReplicableServer replica, String from) {
        for (String each : begin) {
            execute(replica, String.format(each, from));
        }
        attach(primary, replica);
        execute(replica, "SET GLOBAL read_only = 1");
    }

    /** Makes a server follow another one from its own position on. */
    void attach(ReplicableServer primary, ReplicableServer replica) {
        execute(replica, String.format(source, primary.port()));
        execute(replica, "START " + stop);
    }

    /** Makes a primary follow its replica too, which then accepts writes. */
    void circulate(ReplicableServer primary, ReplicableServer replica) throws SQLException {
        execute(replica, "SET GLOBAL read_only = 0");
        if (this == MARIADB) { // each server writes a domain of its own
            execute(replica, "SET GLOBAL gtid_domain_id = 2");
            execute(primary, "SET GLOBAL gtid_slave_pos = '" + positionOf(replica) + "'");
        }
        attach(replica, primary);
    }

    /** Waits until the replica has all commits of the primary so far. */
    void catchUp(ReplicableServer primary, ReplicableServer replica) throws SQLException {
        await(replica, positionOf(primary));
    }

    /** Like {@link #catchUp}, and stops the replica. */
    void cut(ReplicableServer primary, ReplicableServer replica) throws SQLException {
        catchUp(primary, replica);
        execute(replica, "STOP " + stop);
    }

    private void await(ReplicableServer replica, String position) throws SQLException {
        String found = text(replica, "SELECT " + reached + "('" + position + "', 30)");
        if (!"0".equals(found)) {
            throw new IllegalStateException("the replica does not follow: " + found);
        }
    }

    /** Lets a replica receive commits, but not execute them. */
    void pause(ReplicableServer replica) {
        execute(replica, "STOP " + stop + " SQL_THREAD");
    }

    /** Ends a pause. */
    void resume(ReplicableServer replica) {
        execute(replica, "START " + stop + " SQL_THREAD");
    }

    /** Executes all commits that the replica has received, and stops it. Its promotion discards the others. */
    void drain(ReplicableServer replica) throws SQLException {
        execute(replica, "STOP " + stop + " IO_THREAD");
        execute(replica, "START " + stop + " SQL_THREAD");
        await(replica, text(replica, "SHOW REPLICA STATUS", received).replace("\n", ""));
        execute(replica, "STOP " + stop);
    }

    /** Lets a replica that was stopped accept writes. */
    void promote(ReplicableServer replica) {
        execute(replica, "RESET " + stop + " ALL");
        execute(replica, "SET GLOBAL read_only = 0");
    }

    static void execute(ReplicableServer server, String sql) {
        TestDatabase.execute(server.url("mysql"), sql);
    }

    private static String text(ReplicableServer server, String query) throws SQLException {
        return query(server, query, row -> row.getString(1));
    }

    private static String text(ReplicableServer server, String query, String column) throws SQLException {
        return query(server, query, row -> row.getString(column));
    }

    private interface Value {
        String of(ResultSet row) throws SQLException;
    }

    private static String query(ReplicableServer server, String query, Value value) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url("mysql"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return value.of(row);
        }
    }
}
