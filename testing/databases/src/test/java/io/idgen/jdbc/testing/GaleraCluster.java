package io.idgen.jdbc.testing;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Three Galera nodes on this machine. A test can kill one of them or all, and start them again. Debian's packages
 * {@code mariadb-server}, {@code galera-4} and {@code rsync} must be installed; if a node does not start, a test fails.
 */
public final class GaleraCluster implements Cluster {
    static final String PROPERTIES =
            "?sslMode=disable&user=" + EmbeddedMariaDb.USER + "&password=" + EmbeddedMariaDb.PASSWORD;

    private static final String DATABASE = "idgen";

    private final List<GaleraNode> nodes =
            Stream.generate(GaleraNode::new).limit(NODES).toList();

    private GaleraCluster(int flushLogAtCommit) {
        nodes.forEach(node -> node.configure(nodes, flushLogAtCommit));
        nodes.get(0).install(EmbeddedMariaDb.FIRST_STATEMENTS);
        nodes.get(0).bootstrap();
        startAllBut(nodes.get(0));
        empty();
    }

    /**
     * Starts a cluster with one empty database and waits for all nodes. A commit is on disk before it is acknowledged.
     */
    public static GaleraCluster started() {
        return new GaleraCluster(1);
    }

    /** Starts the same cluster, but nodes that are killed lose their last commits. */
    public static GaleraCluster thatLosesCommits() {
        return new GaleraCluster(0);
    }

    /** Starts the nodes one by one. Otherwise the first to join would have to serve the second before it is ready. */
    private void startAllBut(GaleraNode running) {
        nodes.stream().filter(node -> node != running).forEach(GaleraNode::start);
    }

    @Override
    public void empty() {
        TestDatabase.execute(nodes.get(0).url(""), "DROP DATABASE IF EXISTS " + DATABASE);
        TestDatabase.execute(nodes.get(0).url(""), "CREATE DATABASE " + DATABASE);
    }

    @Override
    public String url(int node) {
        return nodes.get(node).url(DATABASE);
    }

    @Override
    public String urlBeginningAt(int node) {
        return IntStream.range(0, NODES)
                .mapToObj(i -> nodes.get((node + i) % NODES).address())
                .collect(Collectors.joining(",", "jdbc:mariadb:sequential://", "/" + DATABASE + PROPERTIES));
    }

    @Override
    public long conflicts() throws SQLException {
        long conflicts = 0;
        for (GaleraNode node : nodes) {
            conflicts += Long.parseLong(node.status("wsrep_local_cert_failures"))
                    + Long.parseLong(node.status("wsrep_local_bf_aborts"));
        }
        return conflicts;
    }

    @Override
    public String view() {
        return nodes.stream().map(GaleraNode::view).collect(Collectors.joining("; "));
    }

    @Override
    public void kill(int node) {
        nodes.get(node).kill();
    }

    @Override
    public void restart(int node) {
        nodes.get(node).start();
    }

    /** Kills all nodes at once. */
    public void killAll() {
        CompletableFuture.allOf(nodes.stream()
                        .map(node -> CompletableFuture.runAsync(node::kill))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** Starts the cluster after all nodes were killed, from the one that has the most commits. */
    public void bootstrapFromTheMostAdvanced() {
        Map<GaleraNode, GaleraNode.Position> positions =
                nodes.stream().collect(Collectors.toMap(node -> node, GaleraNode::recover));
        var mostAdvanced = positions.entrySet().stream()
                .max(Comparator.comparingLong(entry -> entry.getValue().number()))
                .orElseThrow();
        System.out.println("positions after all nodes were killed: " + positions.values());
        mostAdvanced.getKey().bootstrap(mostAdvanced.getValue());
        startAllBut(mostAdvanced.getKey());
    }

    @Override
    public void close() {
        killAll();
        nodes.forEach(GaleraNode::delete);
    }
}
