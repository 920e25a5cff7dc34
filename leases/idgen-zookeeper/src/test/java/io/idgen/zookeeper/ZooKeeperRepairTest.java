package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.jdbc.testing.Await;
import io.idgen.ops.Doctor;
import io.idgen.ops.Repair;
import io.idgen.test.internal.Leases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the doctor and the repair. */
class ZooKeeperRepairTest {
    private static final String ROOT = "/idgen";
    private static final long AN_ID = 1L << 22;
    private static final Terms TERMS = Leases.terms(4);

    private final Interference interference = new Interference();
    private TestingServer server;
    private CuratorFramework client;
    private LeaseStore store;
    private Repair repair;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
        client = Servers.client(server.getConnectString(), interference);
        Servers.prepare(client, ROOT, 4);
        store = new ZooKeeperWorkerIds(client);
        repair = Repair.of(store);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private String find(String subject) {
        return Doctor.of(store, "default", InstantSource.system()).examine().stream()
                .filter(finding -> finding.subject().equals(subject))
                .map(Finding::toString)
                .findFirst()
                .orElseThrow();
    }

    private void assertForeign(boolean foreign) {
        assertForeign(foreign, 4);
    }

    private void assertForeign(boolean foreign, int candidates) {
        assertThat(store.candidates(TERMS, null).rows())
                .hasSize(candidates)
                .allSatisfy(row -> assertThat(row.sameServer()).isNotEqualTo(foreign));
    }

    @Test
    void theDoctorCountsLeasesAndHorizonsAndNamesAStandAloneServer() {
        Leases.acquire(store, TERMS, "token");
        RowState state = store.state(TERMS, 3).orElseThrow();
        assertThat(store.reserve(TERMS, 3, state, null, state.horizonMillis())).isTrue();

        assertThat(find("servers")).contains("stand-alone").contains("level=WARN");
        assertThat(find("clock")).contains("level=OK");
        assertThat(find("worker ids")).contains("default, ").contains("1 of 3 leased");
        assertThat(find("horizons")).contains("s ahead").contains("level=OK");
        assertThat(find("reserved")).contains("worker id 3, held by no process");
    }

    @Test
    void aHorizonThatNoCorrectClockGrantsIsFoundAndLowered() throws Exception {
        Paths paths = new Paths(ROOT);
        String path = paths.worker("default", 1);
        WorkerNode node = WorkerNode.of(path, client.getData().forPath(path));
        client.setData()
                .forPath(
                        path,
                        node.withHorizon(System.currentTimeMillis() + 86_400_000)
                                .content());
        assertThat(find("horizons")).contains("level=WRONG").contains("idgen repair horizons");

        long largest =
                SnowflakeLayout.IDGEN.firstIdAt(InstantSource.system().instant().minusSeconds(1));
        assertThat(repair.dryRun()
                        .lowerHorizons("default", SnowflakeLayout.IDGEN, largest)
                        .dryRun())
                .isTrue();
        assertThat(find("horizons")).contains("level=WRONG");
        assertThat(repair.lowerHorizons("default", SnowflakeLayout.IDGEN, largest)
                        .toString())
                .startsWith("repaired /idgen/workers/default 1 worker ids: horizons up to");
        assertThat(find("horizons")).contains("level=OK");
        assertForeign(true);
        assertThat(repair.lowerHorizons("default", SnowflakeLayout.IDGEN, largest))
                .as("a second repair")
                .hasToString("repaired nothing");
    }

    @Test
    void aRepairOfHorizonsRaisesNoneAndLeavesThoseOfACorrectClock() throws Exception {
        Map<Integer, byte[]> before = new TreeMap<>();
        setHorizon(1, tomorrow());
        setHorizon(2, System.currentTimeMillis() + 180_000);
        for (int workerId : new int[] {0, 2, 3}) {
            before.put(workerId, content(workerId));
        }

        repair.lowerHorizons(
                "default",
                SnowflakeLayout.IDGEN,
                SnowflakeLayout.IDGEN.firstIdAt(InstantSource.system().instant().minusSeconds(1)));

        for (Map.Entry<Integer, byte[]> each : before.entrySet()) {
            assertThat(content(each.getKey())).isEqualTo(each.getValue());
        }
    }

    @Test
    void horizonsAreNotLoweredToATimeInTheFutureNorWithoutAnId() throws Exception {
        setHorizon(1, tomorrow());
        byte[] before = content(1);
        long future =
                SnowflakeLayout.IDGEN.firstIdAt(InstantSource.system().instant().plusSeconds(3_600));

        for (Repair each : List.of(repair, repair.dryRun())) {
            AllocationException ahead = catchThrowableOfType(
                    AllocationException.class, () -> each.lowerHorizons("default", SnowflakeLayout.IDGEN, future));
            assertThat(ahead.code()).isEqualTo(ErrorCode.HORIZON_FAR);
            assertThat(ahead)
                    .hasMessageContaining("the largest id, " + future + ", has the time ")
                    .hasMessageContaining("not lowered to a time in the future");
            AllocationException none = catchThrowableOfType(
                    AllocationException.class, () -> each.lowerHorizons("default", SnowflakeLayout.IDGEN, 0));
            assertThat(none.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        }

        assertThat(content(1)).isEqualTo(before);
        assertForeign(false);
    }

    private byte[] content(int workerId) throws Exception {
        return client.getData().forPath(new Paths(ROOT).worker("default", workerId));
    }

    private void setHorizon(int workerId, long millis) throws Exception {
        String path = new Paths(ROOT).worker("default", workerId);
        client.setData()
                .forPath(
                        path,
                        WorkerNode.of(path, content(workerId))
                                .withHorizon(millis)
                                .content());
    }

    @Test
    void afterARestoreNoLeaseBeginsWhereItCouldHaveBeenGranted() {
        assertForeign(false);
        assertThat(repair.dryRun().afterRestore().toString())
                .startsWith("dry run, would repair /idgen/workers/default 4 worker ids: horizons up to");
        assertForeign(false);

        long nowMillis = store.candidates(TERMS, null).nowMillis();
        String report = repair.afterRestore().toString();
        assertThat(report).startsWith("repaired /idgen/workers/default 4 worker ids: horizons up to 1970");
        assertForeign(true);
        Candidates after = store.candidates(TERMS, null);
        String begin = report.replaceAll(".*ids begin at \\S+ \\((\\d+)\\).*", "$1");
        assertThat(Long.parseLong(begin) - after.gapMillis()).isBetween(nowMillis, after.nowMillis());
    }

    @Test
    void nothingIsRepairedWhileAWorkerIdIsLeased() throws Exception {
        Lease lease = Leases.acquire(store, TERMS, "token");
        setHorizon(3, tomorrow());
        for (Repair each : List.of(repair, repair.dryRun())) {
            for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                    each::afterRestore, () -> each.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID))) {
                AllocationException e = catchThrowableOfType(AllocationException.class, wrong);
                assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
                assertThat(e).hasMessageContaining("worker id " + lease.workerId() + " of namespace 'default' by ");
            }
        }
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isTrue();
    }

    @Test
    void aRepairFailsIfAProcessLeasesAWorkerIdMeanwhile() {
        interference.beforeNextChange(() -> Leases.acquire(store, TERMS, "token"));

        AllocationException e = catchThrowableOfType(AllocationException.class, repair::afterRestore);

        assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
    }

    @Test
    void aRepairFailsIfAProcessChangesItsNodesMeanwhile() throws Exception {
        setHorizon(1, tomorrow());
        RowState reserved = reserved(2, null);
        Runnable change = () -> {
            RowState seen = store.state(TERMS, 2).orElseThrow();
            assertThat(store.reserve(TERMS, 2, seen, "process-1-a", seen.nowMillis()))
                    .isTrue();
        };
        interference.beforeNextChange(change);
        assertThatThrownBy(() -> repair.unreserve("default", 2))
                .isInstanceOf(AllocationException.class)
                .hasMessageContaining("a process has changed worker ids");
        RowState after = store.state(TERMS, 2).orElseThrow();
        assertThat(after.reserved()).isTrue();
        assertThat(after.token()).isEqualTo("process-1-a");
        assertThat(after.fence()).isEqualTo(reserved.fence() + 1);

        expire(2);
        byte[] before = content(1);
        interference.beforeNextChange(() -> {
            try {
                client.setData().forPath(new Paths(ROOT).worker("default", 1), before);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThatThrownBy(() -> repair.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID))
                .isInstanceOf(AllocationException.class)
                .hasMessageContaining("a process has changed worker ids");
        assertThat(content(1)).isEqualTo(before);
        assertForeign(false, 3);
    }

    @Test
    void horizonsOfAnotherLayoutAreNotLowered() throws Exception {
        setHorizon(1, tomorrow());
        byte[] before = content(1);

        AllocationException e = catchThrowableOfType(
                AllocationException.class,
                () -> repair.lowerHorizons("default", SnowflakeLayout.parse("41-0-3-19"), AN_ID));

        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        assertThat(content(1)).isEqualTo(before);
    }

    @Test
    void aReservedWorkerIdStaysReservedIfItsHorizonIsLowered() throws Exception {
        RowState before = reserved(1, "process-1-a");
        setHorizon(1, tomorrow());

        assertThat(repair.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID).changes())
                .hasSize(1);

        RowState after = store.state(TERMS, 1).orElseThrow();
        assertThat(after.reserved()).isTrue();
        assertThat(after.token()).isNull();
        assertThat(after.sameServer()).isFalse();
        assertThat(after.fence()).isEqualTo(before.fence() + 1);
        assertThat(after.horizonMillis()).isLessThan(before.nowMillis());
    }

    @Test
    void aReservationThatHasEndedIsOfNoUseToItsFormerHolder() throws Exception {
        RowState before = reserved(2, "process-1-a");
        RowState other = reserved(3, "process-1-b");

        assertThat(repair.unreserve("default", 2, 1, 2).changes())
                .as("of a worker id that is named twice, and of one that is not reserved")
                .hasSize(1);

        assertThat(store.reserve(TERMS, 2, before, "process-1-a", before.horizonMillis()))
                .isFalse();
        RowState after = store.state(TERMS, 2).orElseThrow();
        assertThat(after.fence()).isEqualTo(before.fence() + 1);
        assertThat(after.token()).isNull();
        assertThat(after.sameServer()).isTrue();
        assertThat(store.state(TERMS, 3).orElseThrow())
                .usingRecursiveComparison()
                .ignoringFields("nowMillis")
                .isEqualTo(other);
        assertThat(repair.unreserve("default", 2)).hasToString("repaired nothing");
    }

    @Test
    void aReservationWhoseHolderIsAliveStays() {
        RowState state = store.state(TERMS, 2).orElseThrow();
        assertThat(store.reserve(TERMS, 2, state, "process-1-a", state.nowMillis()))
                .isTrue();

        for (Repair each : List.of(repair, repair.dryRun())) {
            AllocationException e =
                    catchThrowableOfType(AllocationException.class, () -> each.unreserve("default", 1, 2));
            assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_IN_USE);
            assertThat(e).hasMessageContaining("worker id 2 of namespace 'default' in ZooKeeper at ");
        }
        assertThat(store.state(TERMS, 2).orElseThrow().reserved()).isTrue();
    }

    /** Returns a reservation of a worker id, whose holder does not count as alive. */
    private RowState reserved(int workerId, @Nullable String token) throws Exception {
        RowState state = store.state(TERMS, workerId).orElseThrow();
        assertThat(store.reserve(TERMS, workerId, state, token, state.nowMillis()))
                .isTrue();
        expire(workerId);
        return store.state(TERMS, workerId).orElseThrow();
    }

    private void expire(int workerId) throws Exception {
        String path = new Paths(ROOT).worker("default", workerId);
        WorkerNode node = WorkerNode.of(path, content(workerId));
        client.setData().forPath(path, node.heldBy(node.token(), -1_000).content());
    }

    private static long tomorrow() {
        return System.currentTimeMillis() + 86_400_000;
    }

    @Test
    void aReservationEndsAboveAllThatItsHolderCanHaveGenerated() {
        RowState state = store.state(TERMS, 2).orElseThrow();
        assertThat(store.reserve(TERMS, 2, state, null, state.nowMillis() + 7_000))
                .isTrue();

        assertThat(repair.dryRun().unreserve("default", 1, 2).changes()).hasSize(1);
        assertThat(store.state(TERMS, 2).orElseThrow().reserved()).isTrue();
        assertThat(repair.unreserve("default", 1, 2).changes()).hasSize(1);
        RowState free = store.state(TERMS, 2).orElseThrow();
        assertThat(free.reserved()).isFalse();
        assertThat(free.horizonMillis()).isGreaterThanOrEqualTo(state.nowMillis() + 185_000);
    }

    /**
     * The holder had a lease of ten minutes and a clock that was five minutes ahead, and was killed just now: its last
     * id is nearly five minutes ahead of the store's time. An early version wrote no hyphen, and no time ahead.
     */
    @ParameterizedTest
    @CsvSource({"process-1-a, 300", "0123456789abcdef, -300"})
    void aReservationWithALongLeaseEndsAboveTheIdsOfAHolderWhoseClockWasAhead(String token, long horizonSeconds)
            throws Exception {
        RowState state = store.state(TERMS, 2).orElseThrow();
        long lastId = state.nowMillis() + 298_000;
        long horizon = state.nowMillis() + horizonSeconds * 1_000;
        Terms ended = new Terms("default", SnowflakeLayout.IDGEN, 0, 4, Duration.ofMillis(1), Duration.ofSeconds(180));
        assertThat(store.reserve(ended, 2, state, token, horizon)).isTrue();
        Await.until("the end of the holder's lease", () -> {
            RowState held = store.state(TERMS, 2).orElseThrow();
            return held.nowMillis() > held.heldUntilMillis();
        });

        repair.unreserve("default", 2);

        assertThat(store.state(TERMS, 2).orElseThrow().horizonMillis()).isGreaterThan(lastId);
        if (horizonSeconds < 0) {
            long withoutTheLease = state.nowMillis() + 185_000;
            assertThat(withoutTheLease).as("control: the former formula").isLessThan(lastId);
        }
    }

    /** The doctor reports a mistyped root as unused, and neither it nor the repair creates nodes there. */
    @Test
    void aRootThatNoProcessUsesIsNamedAndNothingIsCreatedThere() throws Exception {
        assertThat(Doctor.of(new ZooKeeperWorkerIds(client, "/other"), "default", InstantSource.system())
                        .examine())
                .filteredOn(finding -> finding.level() != Finding.Level.OK)
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Finding.Level.WARN);
                    assertThat(finding.text()).contains("no process has leased a worker id below");
                });
        Repair other = Repair.of(new ZooKeeperWorkerIds(client, "/other"));
        assertThat(catchThrowableOfType(IllegalArgumentException.class, other::afterRestore))
                .hasMessageContaining("/other, so there is nothing to repair; check");
        assertThat(client.checkExists().forPath("/other")).isNull();
    }

    /** The grants of a deleted node are unknown. */
    @Test
    void aWorkerIdWhoseNodeWasDeletedIsForeignUntilAWindowHasPassed(@TempDir Path folder) throws Exception {
        int naive = NaiveAssignment.workerId(server.getConnectString(), "10.0.0.1:80", folder.resolve("one"));
        long yesterday = System.currentTimeMillis() - 86_400_000;
        Era era = Era.of(ROOT, client.getData().forPath(new Paths(ROOT).era()));
        client.setData().forPath(new Paths(ROOT).era(), new Era(era.id(), era.epoch(), yesterday).content());
        assertForeign(false);
        Lease lease = Leases.acquire(store, TERMS, "token");
        client.delete().deletingChildrenIfNeeded().forPath(new Paths(ROOT).namespace("default"));
        client.delete().deletingChildrenIfNeeded().forPath("/snowflake");
        assertThat(NaiveAssignment.workerId(server.getConnectString(), "10.0.0.2:80", folder.resolve("other")))
                .as("of Leaf's scheme, which begins at 0 again")
                .isEqualTo(naive);
        assertThat(store.look(TERMS, lease)).isEqualTo(Optional.empty());

        assertForeign(true);
        Row row = store.candidates(TERMS, null).rows().get(0);
        Lease other = new Lease(row.workerId(), 1, "other", System.currentTimeMillis() + 10_000);
        assertThat(store.acquire(TERMS, row, null, other)).isFalse();
    }

    @Test
    void aNodeThatSomebodyFilledWithOtherThingsIsNamed() throws Exception {
        String path = new Paths(ROOT).worker("default", 0);
        client.setData().forPath(path, new byte[] {1, 2, 3});

        AllocationException e = catchThrowableOfType(AllocationException.class, () -> store.candidates(TERMS, null));
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ROW);
        assertThat(e).hasMessageContaining(path).hasMessageContaining("no field fence");
    }
}
