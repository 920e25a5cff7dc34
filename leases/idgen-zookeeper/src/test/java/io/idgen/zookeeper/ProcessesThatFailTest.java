package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.snowflake.ShortLeases;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Await;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes are paused, lose their sessions or share a host. Naive schemes run in the same situations, as controls. */
@Tag("nightly")
class ProcessesThatFailTest {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration WINDOW = Duration.ofSeconds(12);

    private final List<IdProcess> started = new ArrayList<>();
    private TestingServer server;
    private CuratorFramework client;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
        client = Servers.client(server.getConnectString());
        Servers.prepare(
                client,
                ZooKeeperWorkerIds.DEFAULT_ROOT,
                new LeaseTerms("default", SnowflakeLayout.IDGEN, 0, 1024, Set.of(), LEASE, WINDOW));
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
        List<String> values = new ArrayList<>(List.of("lease=" + LEASE, "window=" + WINDOW));
        values.addAll(List.of(more));
        IdProcess process = IdProcess.leasing(server.getConnectString(), values);
        started.add(process);
        return process;
    }

    private IdProcess naive(int workerId) throws IOException {
        IdProcess process = IdProcess.naive(workerId);
        started.add(process);
        return process;
    }

    @Test
    void twoProcessesOnOneHostHaveDifferentWorkerIds() throws Exception {
        String address = "10.0.0.1:80"; // two containers or two copies of a configuration can have one address
        IdProcess naiveOne = naive(NaiveAssignment.workerId(client, address));
        IdProcess naiveOther = naive(NaiveAssignment.workerId(client, address));
        IdProcess one = lease();
        IdProcess other = lease();
        IdProcess.awaitMoreOf(started);

        assertThat(one.lastWorkerId()).isNotEqualTo(other.lastWorkerId());
        assertThat(IdProcess.duplicates(List.of(one, other))).isZero();
        assertThat(IdProcess.duplicates(List.of(naiveOne, naiveOther)))
                .as("of Leaf's scheme")
                .isPositive();
    }

    /** The control holds its worker id by an ephemeral node, which ends with the session of a paused process. */
    @Test
    void aProcessThatWakesUpAfterItsLeaseRepeatsNoId() throws Exception {
        IdProcess paused = lease("worker=7", "datacenter=0");
        IdProcess naivePaused = naive(7);
        IdProcess.awaitMoreOf(started);
        paused.stop();
        naivePaused.stop();
        IdProcess successor = lease("worker=7", "datacenter=0");
        IdProcess naiveSuccessor = naive(7); // the node is gone
        IdProcess.awaitMoreOf(List.of(successor, naiveSuccessor));

        paused.goOn();
        naivePaused.goOn();
        IdProcess.awaitMoreOf(started);

        assertThat(IdProcess.duplicates(List.of(paused, successor))).isZero();
        assertThat(IdProcess.duplicates(List.of(naivePaused, naiveSuccessor)))
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
                Snowflake source = ShortLeases.times(Snowflake.builder(), LEASE, WINDOW)
                        .leasedFrom(oneCallAtATime(new ZooKeeperWorkerIds(own), own))
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
}
