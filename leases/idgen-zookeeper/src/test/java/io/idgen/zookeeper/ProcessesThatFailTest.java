package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Await;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes are paused, lose their sessions or share a host. Naive schemes run in the same situations, as controls. */
@Tag("matrix")
@Timeout(600)
class ProcessesThatFailTest {
    private static final int ENOUGH = 200;

    @TempDir
    Path folder;

    private final List<IdProcess> started = new ArrayList<>();
    private TestingServer server;
    private CuratorFramework client;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
        client = Servers.client(server.getConnectString());
        Servers.prepare(client, ZooKeeperWorkerIds.DEFAULT_ROOT, 1024);
    }

    @AfterEach
    void stop() throws IOException {
        for (IdProcess process : started) {
            process.close();
        }
        client.close();
        server.close();
    }

    private IdProcess lease(String... more) throws IOException {
        List<String> settings = new ArrayList<>(List.of(
                "idgen.worker.assigner=zookeeper",
                "idgen.zookeeper.connect=" + server.getConnectString(),
                "idgen.zookeeper.timeout=1s",
                "idgen.worker.lease=3s",
                "idgen.worker.window=12s"));
        settings.addAll(List.of(more));
        IdProcess process = IdProcess.leasing(settings.toArray(String[]::new));
        started.add(process);
        return process;
    }

    private IdProcess naive(int workerId) throws IOException {
        IdProcess process = IdProcess.naive(workerId);
        started.add(process);
        return process;
    }

    private static void awaitMoreOf(IdProcess process) throws Exception {
        long enough = process.count() + ENOUGH;
        Await.until("more ids", () -> process.count() >= enough);
    }

    private static long duplicates(IdProcess... processes) {
        long[] sorted = List.of(processes).stream()
                .flatMapToLong(IdProcess::ids)
                .sorted()
                .toArray();
        return IntStream.range(1, sorted.length)
                .filter(i -> sorted[i] == sorted[i - 1])
                .count();
    }

    @Test
    void twoProcessesOnOneHostHaveDifferentWorkerIds() throws Exception {
        String address = "10.0.0.1:80"; // two containers or two copies of a configuration can have one address
        int first = NaiveAssignment.workerId(server.getConnectString(), address, folder.resolve("first"));
        int second = NaiveAssignment.workerId(server.getConnectString(), address, folder.resolve("second"));
        IdProcess naiveOne = naive(first);
        IdProcess naiveOther = naive(second);
        IdProcess one = lease();
        IdProcess other = lease();
        for (IdProcess each : started) {
            awaitMoreOf(each);
        }

        assertThat(one.lastWorkerId()).isNotEqualTo(other.lastWorkerId());
        assertThat(duplicates(one, other)).isZero();
        assertThat(duplicates(naiveOne, naiveOther)).as("of Leaf's scheme").isPositive();
    }

    /** The control holds its worker id by an ephemeral node, which ends with the session of a paused process. */
    @Test
    void aProcessThatWakesUpAfterItsLeaseRepeatsNoId() throws Exception {
        IdProcess paused = lease("idgen.worker.id=7");
        IdProcess naivePaused = naive(7);
        awaitMoreOf(paused);
        awaitMoreOf(naivePaused);
        paused.stop();
        naivePaused.stop();
        IdProcess successor = lease("idgen.worker.id=7");
        IdProcess naiveSuccessor = naive(7); // the node is gone
        awaitMoreOf(successor);
        awaitMoreOf(naiveSuccessor);

        paused.goOn();
        naivePaused.goOn();
        awaitMoreOf(paused);
        awaitMoreOf(naivePaused);
        awaitMoreOf(successor);
        awaitMoreOf(naiveSuccessor);

        assertThat(duplicates(paused, successor)).isZero();
        assertThat(duplicates(naivePaused, naiveSuccessor))
                .as("with an ephemeral node")
                .isPositive();
    }

    /** The control of {@link #aLostSessionChangesNothing}. */
    @Test
    void aNumberThatAnEphemeralNodeHoldsIsAnotherProcessesAfterALostSession() throws Exception {
        try (CuratorFramework one = Servers.client(server.getConnectString());
                CuratorFramework other = Servers.client(server.getConnectString())) {
            NaiveSnowflake first = new NaiveSnowflake(NaiveAssignment.whileConnected(one));
            one.getZookeeperClient().getZooKeeper().close();
            NaiveSnowflake second = new NaiveSnowflake(NaiveAssignment.whileConnected(other));

            Set<Long> ids = new HashSet<>();
            Await.until("a duplicate", () -> !ids.add(first.nextId()) || !ids.add(second.nextId()));
        }
    }

    @Test
    void aLostSessionChangesNothing() throws Exception {
        try (CuratorFramework own = Servers.client(server.getConnectString());
                Snowflake source = Snowflake.builder()
                        .leasedFrom(oneCallAtATime(new ZooKeeperWorkerIds(own), own))
                        .lease(Duration.ofSeconds(3), Duration.ofSeconds(12))
                        .acquireTimeout(Duration.ofMinutes(1), Duration.ofMinutes(1))
                        .build()) {
            long before = source.nextId();
            long session = own.getZookeeperClient().getZooKeeper().getSessionId();
            long horizon = horizonOfTheOnlyLease();

            synchronized (own) { // a renewal whose answer is lost would also change the worker id
                own.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
            }

            Await.until(
                    "a renewal after it",
                    () -> horizonOfTheOnlyLease() > horizon
                            && own.getZookeeperClient().getZooKeeper().getSessionId() != session);
            long afterwards = horizonOfTheOnlyLease();
            Await.until("another renewal", () -> horizonOfTheOnlyLease() > afterwards);
            long after = source.nextId();
            assertThat(SnowflakeLayout.IDGEN.parse(after).worker())
                    .isEqualTo(SnowflakeLayout.IDGEN.parse(before).worker());
            assertThat(after).isGreaterThan(before);
        }
    }

    /** Returns a store whose calls hold a lock. */
    private static LeaseStore oneCallAtATime(LeaseStore store, Object lock) {
        return (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, arguments) -> {
                    try {
                        synchronized (lock) {
                            return method.invoke(store, arguments);
                        }
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private long horizonOfTheOnlyLease() throws Exception {
        List<WorkerNode> leased = List.copyOf(
                Servers.leased(client, ZooKeeperWorkerIds.DEFAULT_ROOT).values());
        assertThat(leased).hasSize(1);
        return leased.get(0).horizonMillis();
    }

    /** Leaf's numbers only increase. After as many addresses as the field has values, no process can start. */
    @Test
    void workerIdsAreExhaustedOnlyByProcessesThatRun() throws Exception {
        for (int i = 0; i <= NaiveAssignment.LARGEST; i++) {
            client.create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.PERSISTENT_SEQUENTIAL)
                    .forPath("/snowflake/leaf/forever/gone-");
        }
        int naive = NaiveAssignment.workerId(server.getConnectString(), "10.0.0.1:80", folder.resolve("file"));
        assertThat(naive).as("of Leaf's scheme").isGreaterThan(NaiveAssignment.LARGEST);

        IdSources.Builder builder = IdSources.builder()
                .source("orders")
                .set("idgen.worker.assigner", "zookeeper")
                .set("idgen.zookeeper.connect", server.getConnectString())
                .set("idgen.worker.reserved", "1-31")
                .set("idgen.worker.datacenter-id", "3");
        try (IdSources refused = builder.set("idgen.acquire-timeout", "2s").build()) {
            try (IdSources one = builder.set("idgen.acquire-timeout", "1m").build()) {
                long id = one.get("orders").nextId();
                assertThat(SnowflakeLayout.IDGEN.parse(id).worker()).isZero();
                Await.until("a refusal", () -> refusal(refused).matches("(?s).*IDGEN-601.*worker id 96, by.*"));
            }
            Await.until("the worker id", () -> canDraw(refused));
        }
    }

    /** Requests an id that the source does not get, and returns the message. */
    private static String refusal(IdSources sources) {
        return String.valueOf(catchThrowableOfType(
                        IdUnavailableException.class,
                        () -> sources.get("orders").nextId())
                .getMessage());
    }

    private static boolean canDraw(IdSources sources) {
        try {
            return sources.get("orders").nextId() > 0;
        } catch (IdUnavailableException e) {
            return false;
        }
    }
}
