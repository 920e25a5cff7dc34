package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.cli.doctor.Repair;
import io.idgen.cli.doctor.RepairContract;
import io.idgen.cli.leases.RedisAdmin;
import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Row;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the repairs by an operator. */
class RedisRepairTest extends RepairContract {
    private static final String KEY = "idgen:{default}:workers";

    @AutoClose
    private static RedisServer server;

    @AutoClose
    private RedisScripts scripts;

    RedisRepairTest() {
        super(1024);
    }

    @BeforeAll
    static void start() throws IOException {
        server = RedisServer.start();
    }

    @Override
    protected LeaseStore open() {
        scripts = Rows.on(server);
        LeaseStore opened = new RedisWorkerIds(scripts);
        opened.candidates(terms, null); // writes the layout
        return opened;
    }

    @Override
    protected LeaseAdmin admin() {
        return new RedisAdmin(scripts, new RedisWorkerIds(scripts));
    }

    @Override
    protected String place() {
        return KEY;
    }

    /** Returns fields and values in no order, since Redis has none. */
    @Override
    protected List<String> rows() throws IOException {
        return server.command("HGETALL", KEY).lines().sorted().toList();
    }

    @Override
    protected String row(int workerId) throws IOException {
        return server.command(
                "HMGET",
                KEY,
                workerId + ":fence",
                workerId + ":horizon",
                workerId + ":until",
                workerId + ":token",
                workerId + ":server",
                workerId + ":owner");
    }

    @Override
    protected void setHorizon(int workerId, long millis) throws IOException {
        server.command("HSET", KEY, workerId + ":horizon", Long.toString(millis));
    }

    @Override
    protected void expire(int workerId) {
        Rows.expire(scripts, "default", workerId);
    }

    private String marker() throws IOException {
        return server.command("HGET", KEY, "incarnation");
    }

    @Test
    void aRepairWritesAMarkerAfterWhichEachRowIsAdvancedBeforeItIsLeased() throws IOException {
        String before = marker();
        assertThat(store.candidates(terms, null).rows()).hasSize(64).allMatch(Row::sameServer);
        long nowMillis = store.candidates(terms, null).nowMillis();
        assertThat(repair.dryRun().afterRestore("default").toString())
                .contains("1024 worker ids: marker " + before + ", ")
                .contains(" -> a new marker, ids begin at ");

        String report = repair.afterRestore("default").toString();

        assertThat(report)
                .startsWith("repaired idgen:{default}:workers 1024 worker ids: marker " + before + ", horizons up to ")
                .contains(" -> marker " + marker() + ", ids begin at 20");
        assertThat(marker()).isNotEqualTo(before);
        Candidates after = store.candidates(terms, null);
        String begin = report.replaceAll("(?s).*ids begin at \\S+ \\((\\d+)\\).*", "$1");
        assertThat(Long.parseLong(begin) - terms.gapMillis()).isBetween(nowMillis, after.nowMillis());
        assertThat(after.rows()).hasSize(64).noneMatch(Row::sameServer);
    }

    @Test
    void aRedisThatLostItsDataIsRepairedWithoutRows() throws IOException {
        server.command("FLUSHALL");
        assertThat(assertThrows(AllocationException.class, () -> store.candidates(terms, null))
                        .code())
                .isEqualTo(ErrorCode.INCARNATION_MISSING);

        assertThat(repair.afterRestore("default").toString())
                .startsWith("repaired idgen:{default}:workers 0 worker ids: no marker, horizons up to 1970");

        assertThat(store.candidates(terms, null).rows()).hasSize(64).noneMatch(Row::sameServer);
    }

    @Test
    void aReplicaIsNotRepaired() throws Exception {
        setHorizon(7, tomorrow());
        try (RedisServer replica = RedisServer.replicaOf(server);
                RedisScripts ofReplica = RedisScripts.connectingTo(replica.uri())) {
            replica.command("CONFIG", "SET", "replica-read-only", "no"); // so that only the repair itself can refuse
            Repair other = Repair.of(new RedisAdmin(ofReplica, new RedisWorkerIds(ofReplica)));
            String before = replica.command("HGETALL", KEY);
            for (Repair each : List.of(other, other.dryRun())) {
                for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                        () -> each.afterRestore("default"),
                        () -> each.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID))) {
                    assertThatThrownBy(wrong)
                            .isInstanceOf(StoreUnavailableException.class)
                            .hasMessageContaining("READONLY this is a replica");
                }
            }
            assertThat(replica.command("HGETALL", KEY)).isEqualTo(before);

            replica.command("REPLICAOF", "NO", "ONE");
            assertThat(other.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID)
                            .changes())
                    .as("control: after its promotion")
                    .hasSize(1);
        }
    }
}
