package io.idgen.cli.doctor;

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
import io.idgen.test.internal.Leases;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the doctor and the repair. */
class ZooKeeperRepairTest extends RepairContract {
    private static final Paths PATHS = new Paths("/idgen");

    private final Interference interference = new Interference();

    private TestingServer server;
    private CuratorFramework client;

    ZooKeeperRepairTest() {
        super(4);
    }

    @Override
    protected LeaseStore open() throws Exception {
        server = new TestingServer();
        client = Servers.client(server.getConnectString(), interference);
        Servers.prepare(client, PATHS.root(), 4);
        return new ZooKeeperWorkerIds(client);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    @Override
    protected String place() {
        return PATHS.namespace("default");
    }

    @Override
    protected List<String> rows() throws Exception {
        List<String> rows = new ArrayList<>(List.of(content(PATHS.era()), content(PATHS.namespace("default"))));
        for (int id = 0; id < terms.workers(); id++) {
            rows.add(row(id));
        }
        return rows;
    }

    @Override
    protected String row(int workerId) throws Exception {
        return content(PATHS.worker("default", workerId));
    }

    private String content(String path) throws Exception {
        return new String(client.getData().forPath(path), StandardCharsets.UTF_8);
    }

    @Override
    protected void setHorizon(int workerId, long millis) throws Exception {
        change(workerId, node -> node.withHorizon(millis));
    }

    @Override
    protected void expire(int workerId) throws Exception {
        change(workerId, node -> node.heldBy(node.token(), -1_000));
    }

    private void change(int workerId, UnaryOperator<WorkerNode> change) throws Exception {
        String path = PATHS.worker("default", workerId);
        WorkerNode node = WorkerNode.of(path, client.getData().forPath(path));
        client.setData().forPath(path, change.apply(node).content());
    }

    @Override
    protected void beforeNextChange(Runnable action) {
        interference.beforeNextChange(action);
    }

    private void assertForeign(boolean foreign) {
        assertThat(store.candidates(terms, null).rows())
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.sameServer()).isNotEqualTo(foreign));
    }

    @Test
    void theDoctorCountsLeasesAndHorizonsAndNamesAStandAloneServer() {
        Leases.acquire(store, terms, "token");
        RowState state = store.state(terms, 3).orElseThrow();
        assertThat(store.reserve(terms, 3, state, null, state.horizonMillis())).isTrue();

        assertThat(find("servers")).contains("stand-alone").contains("level=WARN");
        assertThat(find("clock")).contains("level=OK");
        assertThat(find("worker ids")).contains("default, ").contains("1 of 3 leased");
        assertThat(find("horizons")).contains("s ahead").contains("level=OK");
        assertThat(find("reserved")).contains("worker id 3, held by no process");
    }

    @Test
    void allRowsAreForeignAfterAHorizonWasLowered() throws Exception {
        setHorizon(1, tomorrow());

        repair.lowerHorizons("default", SnowflakeLayout.IDGEN, idIn(-1));

        assertForeign(true);
    }

    @Test
    void afterARestoreNoLeaseBeginsWhereItCouldHaveBeenGranted() {
        assertForeign(false);
        assertThat(repair.dryRun().afterRestore().toString())
                .startsWith("dry run, would repair /idgen/workers/default 4 worker ids: horizons up to");
        assertForeign(false);

        long nowMillis = store.candidates(terms, null).nowMillis();
        String report = repair.afterRestore().toString();
        assertThat(report).startsWith("repaired /idgen/workers/default 4 worker ids: horizons up to 1970");
        assertForeign(true);
        Candidates after = store.candidates(terms, null);
        String begin = report.replaceAll(".*ids begin at \\S+ \\((\\d+)\\).*", "$1");
        assertThat(Long.parseLong(begin) - after.gapMillis()).isBetween(nowMillis, after.nowMillis());
    }

    @Test
    void aRepairFailsIfAProcessLeasesAWorkerIdMeanwhile() {
        interference.beforeNextChange(() -> Leases.acquire(store, terms, "token"));

        AllocationException e = catchThrowableOfType(AllocationException.class, repair::afterRestore);

        assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
    }

    @Test
    void aHorizonIsNotLoweredIfAProcessChangesItsNodeMeanwhile() throws Exception {
        setHorizon(1, tomorrow());
        String before = row(1);
        beforeNextChange(() -> {
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
        Era era = Era.of(PATHS.era(), client.getData().forPath(PATHS.era()));
        client.setData().forPath(PATHS.era(), new Era(era.id(), era.epoch(), yesterday).content());
        assertForeign(false);
        Lease lease = Leases.acquire(store, terms, "token");
        client.delete().deletingChildrenIfNeeded().forPath(PATHS.namespace("default"));
        client.delete().deletingChildrenIfNeeded().forPath("/snowflake");
        assertThat(NaiveAssignment.workerId(server.getConnectString(), "10.0.0.2:80", folder.resolve("other")))
                .as("of Leaf's scheme, which begins at 0 again")
                .isEqualTo(naive);
        assertThat(store.look(terms, lease)).isEqualTo(Optional.empty());

        assertForeign(true);
        Row row = store.candidates(terms, null).rows().get(0);
        Lease other = new Lease(row.workerId(), 1, "other", System.currentTimeMillis() + 10_000);
        assertThat(store.acquire(terms, row, null, other)).isFalse();
    }

    @Test
    void aNodeThatSomebodyFilledWithOtherThingsIsNamed() throws Exception {
        String path = PATHS.worker("default", 0);
        client.setData().forPath(path, new byte[] {1, 2, 3});

        AllocationException e = catchThrowableOfType(AllocationException.class, () -> store.candidates(terms, null));
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ROW);
        assertThat(e).hasMessageContaining(path).hasMessageContaining("no field fence");
    }
}
