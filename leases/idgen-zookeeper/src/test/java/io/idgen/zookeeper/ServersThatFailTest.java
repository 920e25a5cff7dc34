package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.jdbc.testing.Await;
import io.idgen.zookeeper.ThreeServers.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Processes lease their worker ids from an ensemble whose servers fail or lose data. Leaf's scheme runs as a control.
 */
@Tag("nightly")
class ServersThatFailTest {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final int PROCESSES = 16;
    private static final int WORKER_IDS = 64;

    @TempDir
    Path folder;

    /** The data with which all servers start again, while processes continue in their windows. */
    private enum Data {
        OLDER,
        NONE
    }

    private final List<IdProcess> leasing = new ArrayList<>();
    private final List<IdProcess> naive = new ArrayList<>();

    private static LeaseTerms terms(int workers) {
        return new LeaseTerms("default", SnowflakeLayout.IDGEN, 0, workers, Set.of(), LEASE, LeaseTerms.WINDOW);
    }

    private IdProcess lease(ThreeServers servers, String... more) throws IOException {
        List<String> values = new ArrayList<>(List.of("lease=" + LEASE, "window=" + LeaseTerms.WINDOW, "timeout=60s"));
        values.addAll(List.of(more));
        IdProcess process = IdProcess.leasing(servers.connect(), values);
        leasing.add(process);
        return process;
    }

    private IdProcess naive(ThreeServers servers, String address) throws Exception {
        try (CuratorFramework client = Servers.client(servers.connect())) {
            IdProcess process = IdProcess.naive(NaiveAssignment.workerId(client, address));
            naive.add(process);
            return process;
        }
    }

    @Test
    void sixteenProcessesRepeatNoIdWhenTheLeaderIsKilled() throws Exception {
        try (ThreeServers servers = new ThreeServers();
                CuratorFramework client = Servers.client(servers.connect())) {
            Servers.prepare(client, ZooKeeperWorkerIds.DEFAULT_ROOT, terms(WORKER_IDS));
            for (int i = 0; i < PROCESSES; i++) {
                lease(servers);
            }
            IdProcess.awaitMoreOf(leasing);
            String before = era(client).id();

            servers.killLeader();

            Await.until("leases that the new leader granted", () -> leasingAfter(before, client) == PROCESSES);
            IdProcess.awaitMoreOf(leasing);
            assertThat(IdProcess.duplicates(leasing)).isZero();
        } finally {
            close();
        }
    }

    private static Era era(CuratorFramework client) throws Exception {
        Paths paths = new Paths(ZooKeeperWorkerIds.DEFAULT_ROOT);
        return Era.of(paths.era(), client.getData().forPath(paths.era()));
    }

    /** Returns to how many processes the current leader has granted worker ids; 0 before its era begins. */
    private static long leasingAfter(String before, CuratorFramework client) {
        try {
            String era = era(client).id();
            return era.equals(before)
                    ? 0
                    : Servers.leased(client, ZooKeeperWorkerIds.DEFAULT_ROOT).values().stream()
                            .filter(node -> era.equals(node.era()))
                            .map(WorkerNode::owner)
                            .distinct() // after a lost answer, a process has a second worker id
                            .count();
        } catch (Exception e) {
            return 0; // there is no leader at the moment
        }
    }

    /**
     * One process has its lease in the backup. A second one leases after the backup, and is paused. The servers start
     * again with other data, in which its worker id is free, and a third process leases that worker id. Then the second
     * process continues in its window.
     */
    @ParameterizedTest
    @EnumSource
    void serversThatStartWithOtherDataGrantNothingTwice(Data data) throws Exception {
        try (ThreeServers servers = new ThreeServers()) {
            try (CuratorFramework client = Servers.client(servers.connect())) {
                Servers.prepare(client, ZooKeeperWorkerIds.DEFAULT_ROOT, terms(1024));
            }
            lease(servers, "worker=4", "datacenter=0");
            naive(servers, "10.0.0.1:80");
            IdProcess.awaitMoreOf(leasing);
            servers.restart(each -> ThreeServers.copy(each, backup(each)));
            IdProcess unknown = lease(servers, "worker=5", "datacenter=0");
            IdProcess naiveUnknown = naive(servers, "10.0.0.2:80");
            IdProcess.awaitMoreOf(leasing);
            awaitWindowOf(5, servers);
            unknown.stop();

            Change change = data == Data.NONE
                    ? ThreeServers::delete
                    : each -> {
                        ThreeServers.delete(each);
                        ThreeServers.copy(backup(each), each);
                    };
            servers.restart(change);
            IdProcess successor = lease(servers, "worker=5", "datacenter=0");
            naive(servers, "10.0.0.3:80");
            IdProcess.awaitMoreOf(List.of(successor));
            unknown.goOn();

            IdProcess.awaitMoreOf(List.of(unknown, naiveUnknown));
            IdProcess.awaitMoreOf(leasing);
            IdProcess.awaitMoreOf(naive);
            assertThat(IdProcess.duplicates(leasing)).as("of idgen").isZero();
            assertThat(IdProcess.duplicates(naive)).as("of Leaf's scheme").isPositive();
        } finally {
            close();
        }
    }

    /** Waits until a renewal has granted a whole window, so that it lasts while the servers start again. */
    private static void awaitWindowOf(int workerId, ThreeServers servers) throws Exception {
        try (CuratorFramework client = Servers.client(servers.connect())) {
            Await.until(
                    "a whole window",
                    () -> Servers.leased(client, ZooKeeperWorkerIds.DEFAULT_ROOT)
                                    .get(workerId)
                                    .horizonMillis()
                            > System.currentTimeMillis() + 120_000);
        }
    }

    private Path backup(Path data) throws IOException {
        return Files.createDirectories(folder.resolve(data.getParent().getFileName()));
    }

    private void close() throws IOException {
        for (IdProcess process : leasing) {
            process.close();
        }
        for (IdProcess process : naive) {
            process.close();
        }
    }
}
