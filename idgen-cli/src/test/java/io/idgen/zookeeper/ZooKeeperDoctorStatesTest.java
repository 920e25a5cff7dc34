package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.cli.doctor.Doctor;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.testing.DoctorStates;
import io.idgen.jdbc.testing.Await;
import io.idgen.zookeeper.internal.ZooKeeperLeaseStoreProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The states of ZooKeeper in which a process gets no worker id, or gets it late, and the doctor's answer to each. The
 * doctor changes nothing in any of them, except the time of the node {@code clock}.
 */
@Tag("matrix")
class ZooKeeperDoctorStatesTest {
    private static final AtomicInteger ROOTS = new AtomicInteger();
    // ZooDefs has these too, with annotations that are not on the class path
    private static final Id ANYONE = new Id("world", "anyone");
    private static final List<ACL> READ_ONLY = List.of(new ACL(1, ANYONE));
    private static final List<ACL> WRITE_ONLY = List.of(new ACL(2, ANYONE));

    private static TestingServer server;
    private static CuratorFramework client;

    @BeforeAll
    static void start() throws Exception {
        server = new TestingServer();
        client = Servers.client(server.getConnectString());
    }

    @AfterAll
    static void stop() throws Exception {
        client.close();
        server.close();
    }

    /** Brings the nodes below a root into a state. */
    private interface Fault {
        void on(Paths paths) throws Exception;
    }

    private record State(String name, Fault fault, String chroot, InstantSource clock, Level level, String pattern) {
        @Override
        public String toString() {
            return name;
        }

        State by(InstantSource newClock) {
            return new State(name, fault, chroot, newClock, level, pattern);
        }

        State below(String newChroot) {
            return new State(name, fault, newChroot, clock, level, pattern);
        }
    }

    private static State state(String name, Fault fault, Level level, String pattern) {
        return new State(name, fault, "", InstantSource.system(), level, pattern);
    }

    /** Sets the same content of all worker ids. */
    private static Fault workers(long aheadMillis, String token, boolean ofThisEra) {
        return paths -> {
            Era era = Era.of(paths.era(), client.getData().forPath(paths.era()));
            long now = client.setData().forPath(paths.clock(), new byte[0]).getMtime();
            WorkerNode node = new WorkerNode(
                    1, now + aheadMillis, token, token == null ? 0 : 30_000, ofThisEra ? era.id() : "another", null);
            for (int i = 0; i < 8; i++) {
                client.setData().forPath(paths.worker("default", i), node.content());
            }
        };
    }

    static Stream<State> states() {
        String noAuth = "ZooKeeper refuses: .*NoAuth.*check the credentials";
        return Stream.of(
                state("all is well", paths -> {}, Level.OK, "next lease: .*: 8 worker ids can be leased now"),
                acl(
                        "ACLs permit no change of worker ids",
                        READ_ONLY,
                        paths -> paths.worker("default", 3),
                        "changes: .*" + noAuth),
                acl(
                        "ACLs permit no new worker ids",
                        READ_ONLY,
                        paths -> paths.namespace("default"),
                        "changes: .*" + noAuth),
                acl("ACLs permit no change of the node clock", READ_ONLY, Paths::clock, "rights: .*" + noAuth),
                acl(
                        "ACLs permit no reads",
                        WRITE_ONLY,
                        paths -> paths.worker("default", 3),
                        "(changes|rights): .*" + noAuth),
                state(
                                "the chroot does not exist",
                                paths -> {},
                                Level.WRONG,
                                "nodes: the chroot in the addresses of .* does not exist")
                        .below("/no/such/node"),
                state(
                        "all horizons are five minutes ahead",
                        workers(300_000, null, true),
                        Level.WRONG,
                        "next lease: .*no worker id can be leased now; the next one in 1(1\\d|20) s, at 20"),
                state(
                        "another leader",
                        workers(-1_000, null, false),
                        Level.OK,
                        "next lease: .*the next one in 6 s, at 20"),
                state(
                        "all worker ids are leased",
                        workers(0, "a-b", true),
                        Level.WRONG,
                        "worker ids: .*8 of 8 leased, 0 free"),
                state(
                                "an hour between the clocks",
                                paths -> {},
                                Level.WRONG,
                                "clock: this host's clock is 3(5[4-9]|6[0-5])\\d{4} ms behind the leader's")
                        .by(InstantSource.offset(InstantSource.system(), Duration.ofHours(-1))));
    }

    private static State acl(String name, List<ACL> acl, Function<Paths, String> node, String pattern) {
        return state(name, paths -> client.setACL().withACL(acl).forPath(node.apply(paths)), Level.WRONG, pattern);
    }

    @ParameterizedTest
    @MethodSource("states")
    void theDoctorAnswersWhetherAProcessGetsAWorkerId(State state) throws Exception {
        String root = "/states-" + ROOTS.incrementAndGet();
        Servers.prepare(client, root, 8);
        Paths paths = new Paths(root);
        state.fault.on(paths);
        List<String> before = data(root, paths);

        List<Finding> answer;
        try (CuratorFramework own = Servers.client(server.getConnectString() + state.chroot)) {
            answer = withoutServers(Doctor.examine(new ZooKeeperWorkerIds(own, root).admin(), "default", state.clock));
        }

        DoctorStates.check("ZooKeeper", state.name, answer, state.level, state.pattern);
        assertThat(data(root, paths)).as("the doctor changes nothing").isEqualTo(before);
        assertThat(client.checkExists().forPath("/no")).isNull();
    }

    /** A stand-alone server is a warning in each state. */
    private static List<Finding> withoutServers(List<Finding> answer) {
        return answer.stream().filter(each -> !each.subject().equals("servers")).toList();
    }

    @Test
    void aRootThatMayNotBeCreatedIsFound() throws Exception {
        String root = "/protected-" + ROOTS.incrementAndGet();
        client.create().withACL(READ_ONLY).forPath(root);

        List<Finding> answer = Doctor.examine(
                new ZooKeeperWorkerIds(client, root + "/idgen").admin(), "default", InstantSource.system());

        DoctorStates.check("ZooKeeper", "ACLs permit no root", answer, Level.WRONG, "changes: .*NoAuth");
        assertThat(client.getChildren().forPath(root)).isEmpty();
    }

    /** Only a client of the application can permit read-only servers; idgen's own does not connect to them. */
    @Test
    void aServerInReadOnlyModeIsFound() throws Exception {
        System.setProperty("readonlymode.enabled", "true");
        try (ThreeServers servers = new ThreeServers();
                CuratorFramework own = ZooKeeperLeaseStoreProvider.start(servers.connect(), null);
                CuratorFramework reader = CuratorFrameworkFactory.builder()
                        .connectString(servers.connect())
                        .retryPolicy(new RetryNTimes(0, 0))
                        .ensembleTracker(false)
                        .canBeReadOnly(true)
                        .build()) {
            reader.start();
            Servers.prepare(own, "/idgen", 8);
            servers.killMajority();
            Await.until("a session with a read-only server", () -> isReadable(reader));

            for (CuratorFramework each : List.of(own, reader)) {
                assertThatThrownBy(() ->
                                Doctor.examine(new ZooKeeperWorkerIds(each).admin(), "default", InstantSource.system()))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("ZooKeeper needs a majority")
                        .hasMessageContaining(each == own ? "no server at" : "is in read-only mode");
            }
        } finally {
            System.clearProperty("readonlymode.enabled");
        }
    }

    private static boolean isReadable(CuratorFramework client) {
        try {
            return client.getZookeeperClient().getZooKeeper().getState() == ZooKeeper.States.CONNECTEDREADONLY
                    && client.checkExists().forPath("/idgen") != null;
        } catch (Exception e) {
            return false;
        }
    }

    /** Returns contents and versions, except the version of the node {@code clock}. */
    private static List<String> data(String path, Paths paths) throws Exception {
        List<String> all = new ArrayList<>();
        Stat stat = new Stat();
        String content = "";
        List<String> children = List.of();
        try {
            content = new String(client.getData().storingStatIn(stat).forPath(path), StandardCharsets.UTF_8);
            children = client.getChildren().forPath(path);
        } catch (KeeperException.NoAuthException e) {
            content = "not readable";
        }
        all.add(path + " " + content
                + (path.equals(paths.clock()) ? "" : " " + stat.getVersion() + " " + stat.getMzxid()));
        for (String child : children) {
            all.addAll(data(path + "/" + child, paths));
        }
        return all;
    }
}
