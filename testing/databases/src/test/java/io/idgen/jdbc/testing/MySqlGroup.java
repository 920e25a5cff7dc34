package io.idgen.jdbc.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three servers of MySQL in a group of Group Replication, in multi-primary mode at first. The group excludes a node
 * after five seconds of silence.
 */
public final class MySqlGroup implements Cluster {
    private static final String DATABASE = "idgen";
    private static final String NAME = "1d6e0000-0000-4000-8000-000000000001";
    private static final String MEMBERS = " FROM performance_schema.replication_group_members";

    private static final int JOINS = 3;

    private final List<Integer> groupPorts =
            IntStream.range(0, NODES).mapToObj(node -> FreePort.find()).toList();
    private final List<EmbeddedMySql> nodes =
            IntStream.range(0, NODES).mapToObj(this::node).toList();
    private final FaultProxy router;
    private boolean isSinglePrimary;

    /** Starts a group with one empty database and waits for all nodes. */
    public MySqlGroup() throws Exception {
        for (EmbeddedMySql node : nodes) {
            node.start();
            // not logged, so that all nodes begin with the same transactions: none
            execute(node, "RESET BINARY LOGS AND GTIDS");
            execute(
                    node,
                    "CHANGE REPLICATION SOURCE TO source_user='" + EmbeddedMySql.USER + "', source_password='"
                            + EmbeddedMySql.PASSWORD + "' FOR CHANNEL 'group_replication_recovery'");
            // outside the group a node accepts no writes, which the others would lack
            node.atStart("SET GLOBAL super_read_only = ON");
        }
        bootstrap(0);
        join(1);
        join(2);
        empty();
        router = FaultProxy.before(url(0));
    }

    private EmbeddedMySql node(int node) {
        return new EmbeddedMySql(
                "--server-id=" + (node + 1),
                "--log-bin=bin",
                "--relay-log=relay",
                "--gtid-mode=ON",
                "--enforce-gtid-consistency=ON",
                "--report-host=127.0.0.1",
                "--plugin-load-add=group_replication.so",
                "--loose-group-replication-group-name=" + NAME,
                "--loose-group-replication-start-on-boot=OFF",
                "--loose-group-replication-local-address=" + groupAddress(node),
                "--loose-group-replication-group-seeds="
                        + IntStream.range(0, NODES).mapToObj(this::groupAddress).collect(Collectors.joining(",")),
                "--loose-group-replication-communication-stack=XCOM",
                "--loose-group-replication-recovery-get-public-key=ON",
                "--loose-group-replication-member-expel-timeout=0",
                "--loose-group-replication-consistency=EVENTUAL", // a new primary may write before it has caught up
                "--loose-group-replication-single-primary-mode=OFF",
                "--loose-group-replication-enforce-update-everywhere-checks=ON");
    }

    private String groupAddress(int node) {
        return "127.0.0.1:" + groupPorts.get(node);
    }

    private static void execute(EmbeddedMySql node, String sql) {
        TestDatabase.execute(node.url("mysql"), sql);
    }

    private static List<String> rows(EmbeddedMySql node, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(node.url("mysql"))) {
            return Sql.rows(connection, query);
        }
    }

    /** Starts the group anew with one node, as an administrator does after all nodes have left it. */
    public void bootstrap(int node) throws Exception {
        execute(nodes.get(node), "SET GLOBAL group_replication_bootstrap_group = ON");
        join(node);
        execute(nodes.get(node), "SET GLOBAL group_replication_bootstrap_group = OFF");
    }

    /**
     * Lets a node join the group; returns when it has caught up with the others. On a busy machine a node may fail to
     * reach the others and then hang. It is killed and tries again.
     */
    public void join(int node) throws Exception {
        for (int tries = 1; ; tries++) {
            try {
                tryToJoin(nodes.get(node));
                return;
            } catch (SQLException | AssertionError e) {
                if (tries == JOINS) {
                    throw new IllegalStateException(
                            "node " + node + " does not join: " + view() + "\n"
                                    + nodes.get(node).log(),
                            e);
                }
                kill(node);
                nodes.get(node).start();
            }
        }
    }

    private void tryToJoin(EmbeddedMySql node) throws Exception {
        try (Connection connection = DriverManager.getConnection(node.url("mysql") + "&socketTimeout=30000")) {
            if (isSinglePrimary) { // as the others, which otherwise refuse the node
                Sql.execute(connection, "SET GLOBAL group_replication_enforce_update_everywhere_checks = OFF");
                Sql.execute(connection, "SET GLOBAL group_replication_single_primary_mode = ON");
            }
            Sql.execute(connection, "START GROUP_REPLICATION");
            Await.until(
                    "a member of the group",
                    () -> Sql.rows(connection, "SELECT MEMBER_STATE" + MEMBERS + " WHERE MEMBER_ID = @@server_uuid")
                            .equals(List.of("ONLINE")));
        }
    }

    /** Lets a node leave the group and accept writes for itself. */
    public void leave(int node) {
        execute(nodes.get(node), "STOP GROUP_REPLICATION");
        execute(nodes.get(node), "SET GLOBAL super_read_only = OFF");
        execute(nodes.get(node), "SET GLOBAL read_only = OFF");
    }

    /** Makes a node the only one that accepts writes. */
    public void becomeSinglePrimary(int node) throws SQLException {
        rows(
                nodes.get(node),
                "SELECT group_replication_switch_to_single_primary_mode(" + "(SELECT MEMBER_ID" + MEMBERS
                        + " WHERE MEMBER_ID = @@server_uuid))");
        isSinglePrimary = true;
        router.leadTo(nodes.get(node).port());
    }

    /** Lets all nodes accept writes again. */
    public void becomeMultiPrimary(int node) throws SQLException {
        rows(nodes.get(node), "SELECT group_replication_switch_to_multi_primary_mode()");
        isSinglePrimary = false;
    }

    /**
     * Returns the node that accepts writes, in single-primary mode, as a node that runs sees it. Waits while there is
     * none: the group may not have elected it yet.
     */
    public int primary(int seenBy) throws Exception {
        String query = "SELECT MEMBER_PORT" + MEMBERS + " WHERE MEMBER_ROLE = 'PRIMARY'";
        AtomicReference<List<String>> ports = new AtomicReference<>(List.of());
        Await.until("a primary", () -> {
            ports.set(rows(nodes.get(seenBy), query));
            return !ports.get().isEmpty();
        });
        int port = Integer.parseInt(ports.get().get(0));
        return nodes.stream().map(EmbeddedMySql::port).toList().indexOf(port);
    }

    /** The JDBC URL of a router, which leads to the primary in single-primary mode. */
    public String primaryUrl() {
        return router.url();
    }

    /** Kills the primary; returns when another node has become the primary and the router leads there. */
    public int killPrimary(int primary) throws Exception {
        kill(primary);
        int witness = (primary + 1) % NODES;
        Await.until("a new primary", () -> primary(witness) != primary);
        int next = primary(witness);
        router.leadTo(nodes.get(next).port());
        return next;
    }

    @Override
    public void empty() {
        execute(nodes.get(0), "DROP DATABASE IF EXISTS " + DATABASE);
        execute(nodes.get(0), "CREATE DATABASE " + DATABASE);
    }

    @Override
    public String url(int node) {
        return nodes.get(node).url(DATABASE);
    }

    @Override
    public String urlBeginningAt(int node) {
        String url = url(node);
        String others = IntStream.range(1, NODES)
                .mapToObj(i -> ",localhost:" + nodes.get((node + i) % NODES).port())
                .collect(Collectors.joining());
        return url.replace("/" + DATABASE, others + "/" + DATABASE) + "&failOverReadOnly=false";
    }

    @Override
    public long conflicts() throws SQLException {
        long conflicts = 0;
        for (EmbeddedMySql node : nodes) {
            conflicts += Long.parseLong(rows(
                            node,
                            "SELECT COUNT_CONFLICTS_DETECTED FROM performance_schema.replication_group_member_stats"
                                    + " WHERE MEMBER_ID = @@server_uuid")
                    .get(0));
        }
        return conflicts;
    }

    @Override
    public String view() {
        return nodes.stream()
                .map(node -> {
                    try {
                        return node.port() + ": "
                                + rows(node, "SELECT MEMBER_PORT, MEMBER_STATE, MEMBER_ROLE" + MEMBERS);
                    } catch (SQLException e) {
                        return node.port() + ": " + e.getMessage();
                    }
                })
                .collect(Collectors.joining("; "));
    }

    @Override
    public void kill(int node) {
        RestartableServer.kill(nodes.get(node));
    }

    /** Waits first, because the group refuses a node that it still counts as a member that is unreachable. */
    @Override
    public void restart(int node) throws Exception {
        int witness = (node + 1) % NODES;
        Await.until(
                "the group excludes node " + node,
                () -> rows(nodes.get(witness), "SELECT COUNT(*)" + MEMBERS).equals(List.of("2")));
        nodes.get(node).start();
        join(node);
    }

    @Override
    public void close() {
        router.close();
        nodes.forEach(RestartableServer::kill);
        nodes.forEach(EmbeddedMySql::delete);
    }
}
