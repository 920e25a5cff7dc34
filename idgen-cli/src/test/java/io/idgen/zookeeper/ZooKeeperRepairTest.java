package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idgen.cli.doctor.RepairContract;
import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.test.internal.Leases;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
    protected LeaseAdmin admin() {
        return new ZooKeeperWorkerIds(client).admin();
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
}
