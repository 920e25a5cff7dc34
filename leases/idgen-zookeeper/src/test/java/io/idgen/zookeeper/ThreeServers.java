package io.idgen.zookeeper;

import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingZooKeeperServer;
import org.apache.zookeeper.client.FourLetterWordMain;

/** An ensemble of three servers in this JVM that a test kills, restores and empties. */
public final class ThreeServers implements AutoCloseable {
    private static final String DATA = "version-2";

    private final TestingCluster cluster;

    public ThreeServers() throws Exception {
        List<InstanceSpec> specs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            specs.add(new InstanceSpec(null, FreePort.find(), FreePort.find(), FreePort.find(), true, i + 1));
        }
        cluster = new TestingCluster(specs);
        cluster.start();
        awaitLeader();
    }

    String connect() {
        return cluster.getConnectString();
    }

    private void awaitLeader() throws Exception {
        Await.until("a leader", () -> leader() != null);
    }

    private InstanceSpec leader() {
        for (InstanceSpec each : cluster.getInstances()) {
            try {
                if (FourLetterWordMain.send4LetterWord(each.getHostname(), each.getPort(), "srvr", false, 1_000)
                        .contains("Mode: leader")) {
                    return each;
                }
            } catch (Exception e) {
                continue; // the server is down
            }
        }
        return null;
    }

    /** Kills the leader, and waits until one of the two others is the leader. */
    void killLeader() throws Exception {
        cluster.killServer(leader());
        awaitLeader();
    }

    /** Kills two of three servers, which leaves no majority. Returns the recovery, which restarts them. */
    Recovery killMajority() throws Exception {
        return kill(List.of(0, 1));
    }

    /** Returns the port of a server, counted from 0. */
    public int port(int server) {
        return spec(server).getPort();
    }

    /** Returns the leader, counted from 0. */
    public int leaderNumber() {
        InstanceSpec leader = leader();
        return IntStream.range(0, 3)
                .filter(server -> spec(server).equals(leader))
                .findFirst()
                .orElseThrow();
    }

    private InstanceSpec spec(int server) {
        return cluster.getServers().get(server).getInstanceSpec();
    }

    /** Kills servers, counted from 0. Returns the recovery, which restarts them. */
    public Recovery kill(List<Integer> servers) throws Exception {
        List<TestingZooKeeperServer> killed =
                servers.stream().map(cluster.getServers()::get).toList();
        for (TestingZooKeeperServer server : killed) {
            server.kill();
        }
        return () -> {
            for (TestingZooKeeperServer server : killed) {
                server.restart();
            }
            awaitLeader();
        };
    }

    /** Ends a fault. */
    public interface Recovery {
        void run() throws Exception;
    }

    /** Stops all servers, changes their data, and starts them again. */
    void restart(Change change) throws Exception {
        cluster.stop();
        for (InstanceSpec each : cluster.getInstances()) {
            change.apply(each.getDataDirectory().toPath().resolve(DATA));
        }
        for (TestingZooKeeperServer server : cluster.getServers()) {
            server.restart();
        }
        awaitLeader();
    }

    /** Changes the data directory of a stopped server. */
    interface Change {
        void apply(Path data) throws IOException;
    }

    static void copy(Path from, Path to) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(from)) {
            files = found.toList();
        }
        for (Path file : files) {
            Files.copy(
                    file,
                    to.resolve(from.relativize(file).toString()),
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    static void delete(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> found = Files.walk(directory)) {
            found.sorted(Comparator.reverseOrder()).forEach(files::add);
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}
