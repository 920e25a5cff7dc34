package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import io.idgen.jdbc.testing.Await;
import io.idgen.ops.Doctor;
import io.idgen.ops.Repair;
import io.idgen.test.internal.Leases;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the repairs by an operator. */
@Timeout(600)
class RedisRepairTest {
    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final long AN_ID = 1L << 22;
    private static final Terms TERMS = Leases.terms(1024);

    @AutoClose
    private static RedisServer server;

    @AutoClose
    private RedisScripts scripts;

    private LeaseStore store;
    private Repair repair;

    @BeforeAll
    static void start() throws IOException {
        server = RedisServer.start();
    }

    @BeforeEach
    void prepare() {
        scripts = Rows.on(server);
        store = new RedisWorkerIds(scripts);
        repair = Repair.of(store);
        store.candidates(TERMS, null); // writes the layout
    }

    private String find(String subject) {
        return Doctor.of(store, "default", InstantSource.system()).examine().stream()
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
        long nowMillis = store.candidates(TERMS, null).nowMillis();

        String report = repair.afterRestore("default", WINDOW).toString();

        assertThat(report)
                .startsWith("repaired idgen:{default}:workers 1024 worker ids: marker " + before + ", horizons up to ")
                .contains(" -> marker " + marker() + ", ids begin at 20");
        assertThat(marker()).isNotEqualTo(before);
        Candidates after = store.candidates(TERMS, null);
        String begin = report.replaceAll("(?s).*ids begin at \\S+ \\((\\d+)\\).*", "$1");
        assertThat(Long.parseLong(begin) - after.gapMillis()).isBetween(nowMillis, after.nowMillis());
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
        List<String> before = rows();
        RowState state = store.state(TERMS, 5).orElseThrow();
        assertThat(store.reserve(TERMS, 5, state, null, 0)).isTrue();
        setHorizon(9, tomorrow());
        List<String> reserved = rows();
        assertThat(reserved).as("control").isNotEqualTo(before);

        Repair dry = repair.dryRun();
        assertThat(dry.afterRestore("default", WINDOW).toString())
                .startsWith("dry run, would repair idgen:{default}:workers 1024 worker ids: marker ")
                .contains(" -> a new marker, ids begin at ");
        assertThat(dry.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID).changes())
                .hasSize(1);
        assertThat(dry.unreserve("default", 5).changes()).hasSize(1);

        assertThat(rows()).isEqualTo(reserved);
    }

    @Test
    void nothingIsRepairedWhileAWorkerIdIsLeased() throws IOException {
        Lease lease = Leases.acquire(store, TERMS, "token");
        String before = marker();
        for (Repair each : new Repair[] {repair, repair.dryRun()}) {
            AllocationException e = assertThrows(AllocationException.class, () -> each.afterRestore("default", WINDOW));
            assertThat(e.code()).isEqualTo(ErrorCode.NAMESPACE_IN_USE);
            assertThat(e)
                    .hasMessageContaining("1 worker ids in Redis at ")
                    .hasMessageContaining("worker id " + lease.workerId() + " of namespace 'default' by ")
                    .hasMessageContaining("stop these processes");
            assertThat(assertThrows(
                                    AllocationException.class,
                                    () -> each.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID))
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
        long tomorrow = tomorrow();
        setHorizon(7, tomorrow);
        assertThat(find("horizons")).contains("level=WRONG").contains("idgen repair horizons");

        AllocationException e = assertThrows(
                AllocationException.class,
                () -> repair.lowerHorizons("default", SnowflakeLayout.parse("41-0-3-19"), AN_ID));
        assertThat(e.code()).isEqualTo(ErrorCode.LAYOUT_MISMATCH);
        long largest =
                SnowflakeLayout.IDGEN.firstIdAt(InstantSource.system().instant().minusSeconds(1));
        assertThat(repair.lowerHorizons("default", SnowflakeLayout.IDGEN, largest)
                        .toString())
                .contains(" 1 worker ids: horizons up to ")
                .contains(" (" + tomorrow + ") -> horizons at ");

        assertThat(find("horizons")).contains("level=OK");
        assertThat(store.state(TERMS, 7).orElseThrow().horizonMillis()).isLessThan(tomorrow);
        assertThat(store.state(TERMS, 7).orElseThrow().sameServer()).isFalse();
        assertThat(repair.lowerHorizons("default", SnowflakeLayout.IDGEN, largest))
                .as("a second repair")
                .hasToString("repaired nothing");
    }

    @Test
    void aRepairOfHorizonsRaisesNoneAndLeavesThoseOfACorrectClock() throws IOException {
        setHorizon(7, tomorrow());
        long granted = store.candidates(TERMS, null).nowMillis() + 180_000;
        setHorizon(8, granted);
        RowState before = store.state(TERMS, 8).orElseThrow();

        long largest =
                SnowflakeLayout.IDGEN.firstIdAt(InstantSource.system().instant().minusSeconds(1));
        assertThat(repair.lowerHorizons("default", SnowflakeLayout.IDGEN, largest)
                        .changes())
                .singleElement()
                .satisfies(change -> assertThat(change.row()).isEqualTo("1 worker ids"));

        RowState after = store.state(TERMS, 8).orElseThrow();
        assertThat(after.horizonMillis()).isEqualTo(granted);
        assertThat(after.fence()).isEqualTo(before.fence());
        assertThat(store.state(TERMS, 9).orElseThrow().horizonMillis()).isZero();
        assertThat(store.candidates(TERMS, null).rows())
                .as("other worker ids, which a process leases at once")
                .hasSize(64)
                .filteredOn(Row::sameServer)
                .hasSizeGreaterThan(40);
    }

    @Test
    void aHorizonWithinTheLongestWindowIsNotLowered() throws IOException {
        new RedisWorkerIds(scripts).mark("default", Duration.ofHours(1));
        setHorizon(8, store.candidates(TERMS, null).nowMillis() + 3_600_000);

        assertThat(repair.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID))
                .hasToString("repaired nothing");
    }

    @Test
    void horizonsAreNotLoweredToATimeInTheFutureNorWithoutAnId() throws IOException {
        setHorizon(7, tomorrow());
        List<String> before = rows();
        long future =
                SnowflakeLayout.IDGEN.firstIdAt(InstantSource.system().instant().plusSeconds(3_600));

        for (Repair each : new Repair[] {repair, repair.dryRun()}) {
            AllocationException ahead = assertThrows(
                    AllocationException.class, () -> each.lowerHorizons("default", SnowflakeLayout.IDGEN, future));
            assertThat(ahead.code()).isEqualTo(ErrorCode.HORIZON_FAR);
            assertThat(ahead)
                    .hasMessageContaining("the largest id, " + future + ", has the time ")
                    .hasMessageContaining("not lowered to a time in the future");
            AllocationException none = assertThrows(
                    AllocationException.class, () -> each.lowerHorizons("default", SnowflakeLayout.IDGEN, 0));
            assertThat(none.code()).isEqualTo(ErrorCode.START_UNKNOWN);
        }

        assertThat(rows()).isEqualTo(before);
    }

    private static long tomorrow() {
        return System.currentTimeMillis() + 86_400_000;
    }

    private static void setHorizon(int workerId, long millis) throws IOException {
        server.command("HSET", "idgen:{default}:workers", workerId + ":horizon", Long.toString(millis));
    }

    @Test
    void aSecondMarkerNeverLowersTheLongestWindow() {
        Duration hour = Duration.ofHours(1);
        new RedisWorkerIds(scripts).mark("default", hour);
        new RedisWorkerIds(scripts).mark("default", Duration.ofSeconds(3));
        assertThat(store.candidates(TERMS, null).gapMillis())
                .isEqualTo(hour.plus(LeaseStore.SERVER_SKEW).toMillis());
    }

    @Test
    void aRepairAfterARestoreNeverLowersTheLongestWindow() {
        Duration hour = Duration.ofHours(1);
        new RedisWorkerIds(scripts).mark("default", hour);

        repair.afterRestore("default", Duration.ofSeconds(3));

        assertThat(store.candidates(TERMS, null).gapMillis())
                .isEqualTo(hour.plus(LeaseStore.SERVER_SKEW).toMillis());
    }

    @Test
    void aReservationEndsAboveAllThatItsHolderCanHaveGenerated() {
        RowState state = store.state(TERMS, 2).orElseThrow();
        assertThat(store.reserve(TERMS, 2, state, "token", state.nowMillis() + 47_000))
                .isTrue();
        assertThat(assertThrows(AllocationException.class, () -> repair.unreserve("default", 1, 2)))
                .hasMessageContaining("worker id 2 of namespace 'default' in Redis at ");
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
        Terms ended =
                new Terms("default", SnowflakeLayout.IDGEN, 0, 1024, Duration.ofMillis(1), Duration.ofSeconds(180));
        assertThat(store.reserve(ended, 2, state, token, horizon)).isTrue();
        Await.until("the end of the holder's lease", () -> {
            RowState held = store.state(TERMS, 2).orElseThrow();
            return held.nowMillis() > held.heldUntilMillis();
        });

        repair.unreserve("default", 2);

        RowState free = store.state(TERMS, 2).orElseThrow();
        assertThat(free.horizonMillis()).isGreaterThan(lastId);
        assertThat(free.heldUntilMillis()).isZero();
        if (horizonSeconds < 0) {
            long withoutTheLease = state.nowMillis() + 185_000;
            assertThat(withoutTheLease).as("control: the former formula").isLessThan(lastId);
        }
    }

    /** Returns a reservation of a worker id, whose holder does not count as alive. */
    private RowState reserved(int workerId, String token) {
        RowState state = store.state(TERMS, workerId).orElseThrow();
        assertThat(store.reserve(TERMS, workerId, state, token, state.nowMillis()))
                .isTrue();
        Rows.expire(scripts, "default", workerId);
        return store.state(TERMS, workerId).orElseThrow();
    }

    @Test
    void aReservationThatHasEndedIsOfNoUseToItsFormerHolder() {
        RowState before = reserved(2, "process-1-a");
        RowState other = reserved(3, "process-1-b");

        assertThat(repair.unreserve("default", 2, 4, 2).changes())
                .as("of a worker id that is named twice, and of one that is not reserved")
                .hasSize(1);

        assertThat(store.reserve(TERMS, 2, before, "process-1-a", before.horizonMillis()))
                .isFalse();
        RowState after = store.state(TERMS, 2).orElseThrow();
        assertThat(after.fence()).isEqualTo(before.fence() + 1);
        assertThat(after.heldUntilMillis()).isZero();
        assertThat(store.state(TERMS, 3).orElseThrow())
                .usingRecursiveComparison()
                .ignoringFields("nowMillis")
                .isEqualTo(other);
    }

    /** Runs scripts, and something else before the last of the three of a repair. */
    private record Interrupted(RedisScripts scripts, AtomicInteger runs, Runnable meanwhile) implements RedisScripts {
        @Override
        public List<String> run(String script, String key, List<String> arguments) {
            if (runs.incrementAndGet() == 3) {
                meanwhile.run();
            }
            return scripts.run(script, key, arguments);
        }

        @Override
        public void close() {
            scripts.close();
        }
    }

    @Test
    void aReservationThatAProcessTakesMeanwhileStays() {
        RowState before = reserved(2, "process-1-a");
        RowState other = reserved(3, "process-1-b");
        Repair interrupted = Repair.of(new RedisWorkerIds(new Interrupted(
                scripts,
                new AtomicInteger(),
                () -> assertThat(store.reserve(TERMS, 2, before, "process-1-a", before.nowMillis()))
                        .isTrue())));

        AllocationException e = assertThrows(AllocationException.class, () -> interrupted.unreserve("default", 3, 2));

        assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_IN_USE);
        RowState after = store.state(TERMS, 2).orElseThrow();
        assertThat(after.reserved()).isTrue();
        assertThat(after.token()).isEqualTo("process-1-a");
        assertThat(store.state(TERMS, 3).orElseThrow().fence()).isEqualTo(other.fence());
    }

    @Test
    void aReservedWorkerIdStaysReservedIfItsHorizonIsLowered() throws IOException {
        RowState before = reserved(7, "process-1-a");
        long tomorrow = tomorrow();
        setHorizon(7, tomorrow);

        assertThat(repair.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID).changes())
                .hasSize(1);

        RowState after = store.state(TERMS, 7).orElseThrow();
        assertThat(after.reserved()).isTrue();
        assertThat(after.token()).isNull();
        assertThat(after.fence()).isEqualTo(before.fence() + 1);
        assertThat(after.horizonMillis()).isLessThan(tomorrow);
        assertThat(store.reserve(TERMS, 7, before, "process-1-a", before.horizonMillis()))
                .isFalse();
    }

    @Test
    void aRepairChangesTheKeysOfItsPrefix() throws IOException {
        RedisWorkerIds shop = new RedisWorkerIds(scripts).withKeyPrefix("shop");
        shop.mark("default", WINDOW);
        String before = marker();
        String marker = server.command("HGET", "shop:{default}:workers", "incarnation");

        Repair.of(shop).dryRun().afterRestore("default", WINDOW);
        assertThat(server.command("HGET", "shop:{default}:workers", "incarnation"))
                .isEqualTo(marker);
        Repair.of(shop).afterRestore("default", WINDOW);

        assertThat(server.command("HGET", "shop:{default}:workers", "incarnation"))
                .isNotEqualTo(marker);
        assertThat(marker()).isEqualTo(before);
    }

    @Test
    void aReplicaIsNotRepaired() throws Exception {
        RowState state = store.state(TERMS, 5).orElseThrow();
        assertThat(store.reserve(TERMS, 5, state, null, 0)).isTrue();
        setHorizon(7, tomorrow());
        try (RedisServer replica = RedisServer.replicaOf(server);
                RedisScripts ofReplica = RedisScripts.connectingTo(replica.uri())) {
            replica.command("CONFIG", "SET", "replica-read-only", "no"); // so that only the repair itself can refuse
            Repair other = Repair.of(new RedisWorkerIds(ofReplica));
            String before = replica.command("HGETALL", "idgen:{default}:workers");
            for (Repair each : List.of(other, other.dryRun())) {
                for (ThrowingCallable wrong : List.<ThrowingCallable>of(
                        () -> each.afterRestore("default", WINDOW),
                        () -> each.lowerHorizons("default", SnowflakeLayout.IDGEN, AN_ID),
                        () -> each.unreserve("default", 5))) {
                    assertThatThrownBy(wrong)
                            .isInstanceOf(StoreUnavailableException.class)
                            .hasMessageContaining("READONLY this is a replica");
                }
            }
            assertThat(replica.command("HGETALL", "idgen:{default}:workers")).isEqualTo(before);

            replica.command("REPLICAOF", "NO", "ONE");
            assertThat(other.unreserve("default", 5).changes())
                    .as("control: after its promotion")
                    .hasSize(1);
        }
    }

    /** Returns fields and values in no order, since Redis has none. */
    private List<String> rows() throws IOException {
        return server.command("HGETALL", "idgen:{default}:workers")
                .lines()
                .sorted()
                .toList();
    }
}
