package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the repairs by an operator. */
@Timeout(600)
class RedisRepairTest {
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final Terms TERMS =
            new Terms("default", SnowflakeLayout.IDGEN, 0, 1024, Duration.ofSeconds(30), Duration.ofSeconds(180));

    private static RedisServer server;

    private RedisScripts scripts;
    private LeaseStore store;
    private RedisRepair repair;

    @BeforeAll
    static void start() throws IOException {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void prepare() throws IOException {
        server.command("FLUSHALL");
        scripts = RedisScripts.connectingTo(server.uri());
        store = new RedisWorkerIds(scripts);
        repair = new RedisRepair(scripts);
        Rows.prepare(scripts, "default", SnowflakeLayout.IDGEN);
        store.candidates(TERMS, null); // writes the layout
    }

    @AfterEach
    void close() {
        scripts.close();
    }

    private Lease lease() {
        Candidates candidates = store.candidates(TERMS, null);
        Row row = candidates.rows().get(0);
        Lease lease = new Lease(row.workerId(), row.fence() + 1, "token", candidates.nowMillis() + 15_000);
        assertThat(store.acquire(TERMS, row, null, lease)).isTrue();
        return lease;
    }

    private String find(String subject) {
        return new RedisDoctor(scripts, InstantSource.system())
                .examine("default").stream()
                        .filter(finding -> finding.subject().equals(subject))
                        .map(Finding::toString)
                        .findFirst()
                        .orElseThrow();
    }

    private String marker() throws IOException {
        return server.command("HGET", "idgen:{default}:workers", "incarnation");
    }

    @Test
    void aRepairWritesAMarkerAfterWhichEachRowIsAdvancedBeforeItIsLeased() throws IOException {
        String before = marker();
        assertThat(store.candidates(TERMS, null).rows()).hasSize(64).allMatch(Row::sameServer);

        String report = repair.afterRestore("default", WINDOW).toString();

        assertThat(report)
                .startsWith("repaired idgen:{default}:workers 1024 worker ids: marker " + before + ", horizons up to ")
                .contains(" -> marker " + marker() + ", ids begin at 20");
        assertThat(marker()).isNotEqualTo(before);
        Candidates after = store.candidates(TERMS, null);
        assertThat(after.rows()).hasSize(64).noneMatch(Row::sameServer);
        assertThat(after.gapMillis())
                .isEqualTo(WINDOW.plus(LeaseStore.SERVER_SKEW).toMillis());
    }

    @Test
    void aRedisThatLostItsDataIsRepairedWithoutRows() throws IOException {
        server.command("FLUSHALL");
        assertThat(assertThrows(AllocationException.class, () -> store.candidates(TERMS, null))
                        .code())
                .isEqualTo(ErrorCode.INCARNATION_MISSING);

        assertThat(repair.afterRestore("default", WINDOW).toString())
                .startsWith("repaired idgen:{default}:workers 0 worker ids: no marker, horizons up to 1970");

        assertThat(store.candidates(TERMS, null).rows()).hasSize(64).noneMatch(Row::sameServer);
    }

    @Test
    void aDryRunChangesNothing() throws IOException {
        String before = server.command("HGETALL", "idgen:{default}:workers");
        RowState state = store.state(TERMS, 5).orElseThrow();
        assertThat(store.reserve(TERMS, 5, state, null, 0)).isTrue();
        String reserved = server.command("HGETALL", "idgen:{default}:workers");
        assertThat(reserved).as("control").isNotEqualTo(before);

        RedisRepair dry = repair.dryRun();
        assertThat(dry.afterRestore("default", WINDOW).toString())
                .startsWith("dry run, would repair idgen:{default}:workers 1024 worker ids: marker ")
                .contains(" -> a new marker, ids begin at ");
        assertThat(dry.lowerHorizons("default", SnowflakeLayout.IDGEN, 0).changes())
                .hasSize(1);
        assertThat(dry.unreserve("default", 5).changes()).hasSize(1);

        assertThat(server.command("HGETALL", "idgen:{default}:workers")).isEqualTo(reserved);
    }

    @Test
    void nothingIsRepairedWhileAWorkerIdIsLeased() throws IOException {
        Lease lease = lease();
        String before = marker();
        for (RedisRepair each : new RedisRepair[] {repair, repair.dryRun()}) {
            AllocationException e = assertThrows(AllocationException.class, () -> each.afterRestore("default", WINDOW));
            assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
            assertThat(e)
                    .hasMessageContaining("1 worker ids of namespace 'default'")
                    .hasMessageContaining("worker id " + lease.workerId() + " by ")
                    .hasMessageContaining("stop these processes");
            assertThat(assertThrows(
                                    AllocationException.class,
                                    () -> each.lowerHorizons("default", SnowflakeLayout.IDGEN, 0))
                            .code())
                    .isEqualTo(ErrorCode.NAMESPACE_IN_USE);
        }
        assertThat(marker()).isEqualTo(before);
        assertThat(store.extend(TERMS, lease, lease.horizonMillis() + 1_000)).isTrue();

        Rows.expire(scripts, "default", lease.workerId());
        assertThat(repair.afterRestore("default", WINDOW).changes())
                .as("control: its lease has ended")
                .hasSize(1);
    }

    @Test
    void aHorizonThatNoCorrectClockGrantsIsFoundAndLowered() throws IOException {
        long tomorrow = System.currentTimeMillis() + 86_400_000;
        server.command("HSET", "idgen:{default}:workers", "7:horizon", Long.toString(tomorrow));
        assertThat(find("horizons")).contains("level=WRONG").contains("idgen repair horizons");

        AllocationException e = assertThrows(
                AllocationException.class,
                () -> repair.lowerHorizons("default", SnowflakeLayout.parse("41-0-3-19"), 0));
        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        long largest = SnowflakeLayout.IDGEN.firstIdAt(InstantSource.system().instant());
        assertThat(repair.lowerHorizons("default", SnowflakeLayout.IDGEN, largest)
                        .toString())
                .contains("1024 worker ids: horizons up to ")
                .contains(" (" + tomorrow + ") -> horizons at ");

        assertThat(find("horizons")).contains("level=OK");
        assertThat(store.state(TERMS, 7).orElseThrow().horizonMillis()).isLessThan(tomorrow);
        assertThat(store.candidates(TERMS, null).rows()).hasSize(64).noneMatch(Row::sameServer);
    }

    @Test
    void aReservationEndsAboveAllThatItsHolderCanHaveGenerated() {
        RowState state = store.state(TERMS, 2).orElseThrow();
        assertThat(store.reserve(TERMS, 2, state, "token", state.nowMillis() + 47_000))
                .isTrue();
        assertThat(assertThrows(AllocationException.class, () -> repair.unreserve("default", 1, 2)))
                .hasMessageContaining("worker id 2 by");
        Rows.expire(scripts, "default", 2);

        assertThat(repair.unreserve("default", 1, 2).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.row()).isEqualTo("worker id 2"));

        RowState free = store.state(TERMS, 2).orElseThrow();
        assertThat(free.reserved()).isFalse();
        assertThat(free.token()).isNull();
        assertThat(free.horizonMillis()).isGreaterThanOrEqualTo(state.nowMillis() + 185_000);
        assertThat(repair.unreserve("default", 2)).hasToString("repaired nothing");
    }

    @Test
    void aReplicaIsNotRepaired() throws Exception {
        try (RedisServer replica = RedisServer.replicaOf(server);
                RedisScripts ofReplica = RedisScripts.connectingTo(replica.uri())) {
            assertThrows(
                    StoreUnavailableException.class,
                    () -> new RedisRepair(ofReplica).dryRun().afterRestore("default", WINDOW));
        }
    }
}
