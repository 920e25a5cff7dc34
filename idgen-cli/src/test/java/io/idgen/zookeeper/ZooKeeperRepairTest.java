package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idgen.cli.doctor.Doctor;
import io.idgen.cli.doctor.Repair;
import io.idgen.cli.doctor.RepairReport;
import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.test.internal.Leases;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The repairs of worker ids by an operator: what they refuse, change and leave. RepairTest tests those of tables. */
class ZooKeeperRepairTest {
    private static final Paths PATHS = new Paths("/idgen");
    private static final String PLACE = PATHS.namespace("default");

    /** An id of the year 2016. */
    private static final long AN_ID = 1L << 22;

    private final LeaseTerms terms = Leases.terms(4);
    private final Interference interference = new Interference();

    private TestingServer server;
    private CuratorFramework client;
    private LeaseStore store;
    private LeaseAdmin admin;
    private Repair repair;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer();
        client = Servers.client(server.getConnectString(), interference);
        Servers.prepare(client, PATHS.root(), 4);
        ZooKeeperWorkerIds workerIds = new ZooKeeperWorkerIds(client);
        store = workerIds;
        admin = workerIds.admin();
        repair = Repair.of(admin);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private List<String> rows() throws Exception {
        List<String> rows = new ArrayList<>(List.of(content(PATHS.era()), content(PATHS.namespace("default"))));
        for (int id = 0; id < terms.workers(); id++) {
            rows.add(row(id));
        }
        return rows;
    }

    private String row(int workerId) throws Exception {
        return content(PATHS.worker("default", workerId));
    }

    private String content(String path) throws Exception {
        return new String(client.getData().forPath(path), StandardCharsets.UTF_8);
    }

    private void setHorizon(int workerId, long millis) throws Exception {
        change(workerId, node -> node.withHorizon(millis));
    }

    private void expire(int workerId) throws Exception {
        change(workerId, node -> node.heldBy(node.token(), -1_000));
    }

    private void change(int workerId, UnaryOperator<WorkerNode> change) throws Exception {
        String path = PATHS.worker("default", workerId);
        WorkerNode node = WorkerNode.of(path, client.getData().forPath(path));
        client.setData().forPath(path, change.apply(node).content());
    }

    private void assertForeign(boolean foreign) {
        assertThat(store.candidates(terms, null).rows())
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.sameServer()).isNotEqualTo(foreign));
    }

    @Test
    void afterARestoreNoLeaseBeginsWhereItCouldHaveBeenGranted() {
        assertForeign(false);
        assertThat(repair.dryRun().afterRestore("default").toString())
                .startsWith("dry run, would repair /idgen/workers/default 4 worker ids: horizons up to");
        assertForeign(false);

        long nowMillis = store.candidates(terms, null).nowMillis();
        String report = repair.afterRestore("default").toString();
        assertThat(report).startsWith("repaired /idgen/workers/default 4 worker ids: horizons up to 1970");
        assertForeign(true);
        Candidates after = store.candidates(terms, null);
        String begin = report.replaceAll(".*ids begin at \\S+ \\((\\d+)\\).*", "$1");
        assertThat(Long.parseLong(begin) - terms.gapMillis()).isBetween(nowMillis, after.nowMillis());
    }

    @Test
    void aRepairFailsIfAProcessLeasesAWorkerIdMeanwhile() {
        interference.beforeNextChange(() -> Leases.acquire(store, terms, "token"));

        AllocationException e = catchThrowableOfType(AllocationException.class, () -> repair.afterRestore("default"));

        assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
    }

    @Test
    void aHorizonIsNotLoweredIfAProcessChangesItsNodeMeanwhile() throws Exception {
        setHorizon(1, tomorrow());
        String before = row(1);
        interference.beforeNextChange(() -> {
            try {
                change(1, node -> node);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });

        assertThatThrownBy(() -> repair.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID))
                .isInstanceOf(AllocationException.class)
                .hasMessageContaining("a process has changed worker ids");

        assertThat(row(1)).isEqualTo(before);
        assertForeign(false);
    }

    /** Returns a finding of the doctor as text. */
    private String find(String subject) {
        return Doctor.examine(admin, "default", InstantSource.system()).stream()
                .filter(finding -> finding.subject().equals(subject))
                .map(Finding::toString)
                .findFirst()
                .orElseThrow();
    }

    /** Returns a time that no correct clock grants. */
    private static long tomorrow() {
        return System.currentTimeMillis() + 86_400_000;
    }

    /** Returns an id that was generated so many seconds after now. */
    private static long idIn(int seconds) {
        return SnowflakeLayout.IDGEN.firstIdAt(InstantSource.system().instant().plusSeconds(seconds));
    }

    private RepairReport lower(Repair by, long largestId) {
        return by.lowerHorizons("default", SnowflakeLayout.IDGEN, largestId);
    }

    @Test
    void aDryRunChangesNothing() throws Exception {
        Object before = rows();
        setHorizon(3, tomorrow());
        Object changed = rows();
        assertThat(changed).as("control").isNotEqualTo(before);

        Repair dry = repair.dryRun();
        assertThat(dry.afterRestore("default").toString())
                .startsWith("dry run, would repair " + PLACE + " " + terms.workers() + " worker ids: ");
        assertThat(lower(dry, AN_ID).changes()).hasSize(1);

        assertThat(rows()).isEqualTo(changed);
    }

    @Test
    void nothingIsRepairedWhileAWorkerIdIsLeased() throws Exception {
        Lease lease = Leases.acquire(store, terms, "token");
        setHorizon(lease.workerId() == 3 ? 2 : 3, tomorrow());
        Object before = rows();

        for (Repair each : List.of(repair, repair.dryRun())) {
            for (ThrowingCallable wrong :
                    List.<ThrowingCallable>of(() -> each.afterRestore("default"), () -> lower(each, AN_ID))) {
                AllocationException e = catchThrowableOfType(AllocationException.class, wrong);
                assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
                assertThat(e)
                        .hasMessageContaining("1 worker ids in " + admin)
                        .hasMessageContaining("worker id " + lease.workerId() + " of namespace 'default' by ")
                        .hasMessageContaining("stop these processes");
            }
        }

        assertThat(rows()).isEqualTo(before);
        assertThat(store.extend(terms, lease, lease.horizonMillis() + 1_000)).isTrue();
        expire(lease.workerId());
        assertThat(repair.afterRestore("default").changes())
                .as("control: its lease has ended")
                .hasSize(1);
    }

    @Test
    void aHorizonThatNoCorrectClockGrantsIsFoundAndLowered() throws Exception {
        long tomorrow = tomorrow();
        setHorizon(1, tomorrow);
        assertThat(find("horizons")).contains("level=WRONG").contains("idgen repair horizons");
        long largest = idIn(-1);
        assertThat(lower(repair.dryRun(), largest).dryRun()).isTrue();
        assertThat(find("horizons")).contains("level=WRONG");

        assertThat(lower(repair, largest).toString())
                .startsWith("repaired " + PLACE + " 1 worker ids: horizons up to ")
                .contains(" (" + tomorrow + ") -> horizons at ");

        assertThat(find("horizons")).contains("level=OK");
        var row = admin.namespaces("default").get(0).workers().get(1).row();
        assertThat(row.horizonMillis()).isLessThan(tomorrow);
        assertThat(row.sameServer()).isFalse();
        assertThat(lower(repair, largest)).as("a second repair").hasToString("repaired nothing");
    }

    @Test
    void horizonsOfAnotherLayoutAreNotLowered() throws Exception {
        setHorizon(1, tomorrow());
        Object before = rows();

        AllocationException e = catchThrowableOfType(
                AllocationException.class,
                () -> repair.lowerHorizons("default", SnowflakeLayout.parse("41-0-3-19"), AN_ID));

        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        assertThat(rows()).isEqualTo(before);
    }

    @Test
    void aRepairOfHorizonsRaisesNoneAndLeavesThoseOfACorrectClock() throws Exception {
        setHorizon(1, tomorrow());
        setHorizon(2, System.currentTimeMillis() + 180_000);
        List<String> before = List.of(row(0), row(2), row(3));

        assertThat(lower(repair, idIn(-1)).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.row()).isEqualTo("1 worker ids"));

        assertThat(List.of(row(0), row(2), row(3))).isEqualTo(before);
    }

    @Test
    void horizonsAreNotLoweredToATimeInTheFutureNorWithoutAnId() throws Exception {
        setHorizon(1, tomorrow());
        Object before = rows();
        long future = idIn(3_600);

        for (Repair each : List.of(repair, repair.dryRun())) {
            AllocationException ahead = catchThrowableOfType(AllocationException.class, () -> lower(each, future));
            assertThat(ahead.code()).isEqualTo(ErrorCode.HORIZON_FAR);
            assertThat(ahead)
                    .hasMessageContaining("the largest id, " + future + ", has the time ")
                    .hasMessageContaining("not lowered to a time in the future");
            AllocationException none = catchThrowableOfType(AllocationException.class, () -> lower(each, 0));
            assertThat(none.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        }

        assertThat(rows()).isEqualTo(before);
        assertThat(store.candidates(terms, null).rows()).isNotEmpty().allMatch(Row::sameServer);
    }
}
