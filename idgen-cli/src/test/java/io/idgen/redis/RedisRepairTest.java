package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.cli.doctor.Repair;
import io.idgen.cli.leases.RedisAdmin;
import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.test.internal.Leases;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What repairs do in Redis alone; its rows are tested by {@link RedisAdminTest}, the rules with ZooKeeper. */
class RedisRepairTest {
    private static final String KEY = "idgen:{default}:workers";

    private final LeaseTerms terms = Leases.terms(1024);

    @AutoClose
    private static RedisServer server;

    @AutoClose
    private RedisScripts scripts;

    private RedisWorkerIds store;
    private Repair repair;

    @BeforeAll
    static void start() throws IOException {
        server = RedisServer.start();
    }

    @BeforeEach
    void open() {
        scripts = Rows.on(server);
        store = new RedisWorkerIds(scripts);
        store.candidates(terms, null); // writes the layout
        repair = Repair.of(new RedisAdmin(scripts, store));
    }

    private String marker() throws IOException {
        return server.command("HGET", KEY, "incarnation");
    }

    @Test
    void aRepairWritesAMarkerAfterWhichEachRowIsAdvancedBeforeItIsLeased() throws IOException {
        String before = marker();
        assertThat(store.candidates(terms, null).rows()).hasSize(100).allMatch(Row::sameServer);
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
        assertThat(after.rows()).hasSize(100).noneMatch(Row::sameServer);
    }

    @Test
    void aRedisThatLostItsDataIsRepairedWithoutRows() throws IOException {
        server.command("FLUSHALL");
        assertThat(assertThrows(AllocationException.class, () -> store.candidates(terms, null))
                        .code())
                .isEqualTo(ErrorCode.INCARNATION_MISSING);

        assertThat(repair.afterRestore("default").toString())
                .startsWith("repaired idgen:{default}:workers 0 worker ids: no marker, horizons up to 1970");

        assertThat(store.candidates(terms, null).rows()).hasSize(100).noneMatch(Row::sameServer);
    }

    @Test
    void aReplicaIsNotRepaired() throws Exception {
        server.command("HSET", KEY, "7:horizon", "4000000000000");
        try (RedisServer replica = RedisServer.replicaOf(server);
                RedisScripts ofReplica = RedisScripts.connectingTo(replica.uri())) {
            replica.command("CONFIG", "SET", "replica-read-only", "no"); // so that only the repair itself can refuse
            Repair other = Repair.of(new RedisAdmin(ofReplica, new RedisWorkerIds(ofReplica)));
            String before = replica.command("HGETALL", KEY);
            for (Repair each : List.of(other, other.dryRun())) {
                for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                        () -> each.afterRestore("default"),
                        () -> each.lowerHorizons("default", SnowflakeLayout.IDGEN, 1L << 22))) {
                    assertThatThrownBy(wrong)
                            .isInstanceOf(StoreUnavailableException.class)
                            .hasMessageContaining("READONLY this is a replica");
                }
            }
            assertThat(replica.command("HGETALL", KEY)).isEqualTo(before);

            replica.command("REPLICAOF", "NO", "ONE");
            assertThat(other.lowerHorizons("default", SnowflakeLayout.IDGEN, 1L << 22)
                            .changes())
                    .as("control: after its promotion")
                    .hasSize(1);
        }
    }
}
