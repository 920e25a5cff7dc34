package io.idgen.core.snowflake;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.IdgenListener;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.SourceSnapshot.Health;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.lease.LeasedWorker;
import io.idgen.core.internal.lease.ReservedWorker;
import io.idgen.core.internal.lease.SimulatedDatabase;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.lease.SimulatedThread;
import io.idgen.core.internal.task.TaskThreads;
import io.idgen.core.internal.text.Defaults;
import io.idgen.core.internal.text.Knob;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.internal.window.Window;
import io.idgen.core.internal.window.WorkerLease;
import io.idgen.core.internal.worker.FixedWorkers;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.testing.LogLines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A fixed worker id next to processes that lease theirs, in virtual time. */
@Timeout(600)
class ReservedWorkerTest {
    private static final List<Logger> LOGS =
            List.of(Logger.getLogger(ReservedWorker.class.getName()), Logger.getLogger(LeasedWorker.class.getName()));
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;
    private static final Duration LEASE = ofSeconds(30);
    private static final Duration WINDOW = ofSeconds(180);
    private static final Duration RENEW = ofSeconds(10);
    private static final Duration FIRST_ID = ofSeconds(30);
    private static final Duration CALL = ofSeconds(3);
    private static final int WORKER_ID = 0;

    private final VirtualTime time = new VirtualTime();
    private final SimulatedDatabase database = new SimulatedDatabase(time);
    private int processes;

    @BeforeAll
    static void hushed() {
        LOGS.forEach(log -> log.setLevel(Level.OFF));
    }

    @AfterAll
    static void loud() {
        LOGS.forEach(log -> log.setLevel(null));
    }

    /** The clock of a host, which may differ from the database's. */
    private final class HostTime implements TimeSource {
        Duration ahead = Duration.ZERO;

        @Override
        public long millis() {
            return SimulatedDatabase.START.toEpochMilli() + time.nanoTime() / 1_000_000 + ahead.toMillis();
        }

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public void park(long nanos) {
            time.park(nanos);
        }
    }

    /**
     * A window that only one process uses, as {@link FixedWorkers} returns it to the first generator with a worker id.
     */
    private static final class OwnWindow implements WorkerLease {
        final ClockPolicy policy;
        Window window;
        int users = 1;

        OwnWindow(ClockPolicy policy, long nowMillis) {
            this.policy = policy;
            window = policy.window(
                    LAYOUT,
                    WORKER_ID,
                    1,
                    TickScale.of(LAYOUT.epoch(), LAYOUT.tick(), LAYOUT.timeBits())
                            .tickFrom(nowMillis));
        }

        @Override
        public Window window() {
            return window;
        }

        @Override
        public SnowflakeSnapshot snapshot() {
            throw new AssertionError("the reservation's own snapshot is wanted");
        }

        @Override
        public void suspend() {
            window.seal();
        }

        @Override
        public void resume() {
            window = policy.window(LAYOUT, WORKER_ID, 1, window.highestTick() + 1);
        }

        @Override
        public void close() {
            if (--users == 0) {
                window.seal();
            }
        }
    }

    /** A process with a fixed worker id. */
    private final class Process implements SimulatedStore.Link {
        final List<IdgenEvent> events = new ArrayList<>();
        final HostTime host = new HostTime();
        final SimulatedThread thread = new SimulatedThread(time, e -> {
            throw new AssertionError("escaped", e);
        });
        final OwnWindow window;
        final ReservedWorker worker;
        final Snowflake ids;
        RuntimeException failure;
        Throwable thrown;
        int refusedThreads;
        boolean nextAnswerIsLost;
        int statements;

        Process() {
            this(new OwnWindow(ClockPolicy.parse(Defaults.CLOCK_POLICY), new HostTime().millis()));
        }

        Process(OwnWindow window) {
            this(window, null);
        }

        Process(OwnWindow window, LeaseStore other) {
            this(window, other, LEASE);
        }

        Process(OwnWindow window, LeaseStore other, Duration lease) {
            this.window = window;
            LeaseStore store = other == null ? new SimulatedStore(database, this, Flaw.NONE) : other;
            worker = new ReservedWorker(
                    window,
                    new WallClock(
                            LAYOUT, window.policy, host, new WallClock.Owner("test", IdgenListener.NONE, Knob::method)),
                    store,
                    new LeaseStore.Terms("test", LAYOUT, WORKER_ID, 1, lease, WINDOW),
                    new ReservedWorker.Timing(RENEW, FIRST_ID, CALL, false),
                    new ReservedWorker.Environment(host, threads(), events::add));
            ids = new Snowflake("test", LAYOUT, worker, worker);
        }

        @Override
        public <T> T call(String statement, Supplier<T> work) {
            statements++;
            if (failure != null) {
                throw failure;
            }
            if (thrown != null) {
                throw Process.<RuntimeException>undeclared(thrown);
            }
            T answer = work.get();
            if (nextAnswerIsLost && statement.equals("reserve")) {
                nextAnswerIsLost = false;
                throw new StoreUnavailableException("no answer");
            }
            return answer;
        }

        @SuppressWarnings("unchecked")
        private static <E extends Throwable> E undeclared(Throwable e) throws E {
            throw (E) e;
        }

        /** Returns the process's thread, which the host may refuse. */
        private TaskThreads threads() {
            return new TaskThreads() {
                @Override
                public Future<?> schedule(Runnable task, Duration delay) {
                    if (refusedThreads > 0) {
                        refusedThreads--;
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return thread.schedule(task, delay);
                }

                @Override
                public void execute(Runnable task) {
                    thread.execute(task);
                }

                @Override
                public void shutdown() {
                    thread.shutdown();
                }

                @Override
                public boolean isShutdown() {
                    return thread.isShutdown();
                }
            };
        }

        SnowflakeParts next() {
            return LAYOUT.parse(ids.nextId());
        }

        IdGenerationException refused() {
            return assertThrows(IdGenerationException.class, ids::nextId);
        }

        List<Kind> kinds() {
            return events.stream().map(IdgenEvent::kind).toList();
        }

        void close() {
            closeInVirtualTime(ids);
        }
    }

    /**
     * Closes in virtual time. Closing waits by the host's clock for a task that needs virtual time; an interrupt ends
     * that wait.
     */
    private void closeInVirtualTime(Snowflake ids) {
        Thread.currentThread().interrupt();
        ids.close();
        assertThat(Thread.interrupted()).isTrue();
        time.pass(Duration.ZERO);
    }

    /** Starts a process that leases one of the first worker ids. */
    private Snowflake leased(int workers, Set<Integer> excluded) {
        SimulatedThread thread = new SimulatedThread(time, e -> {
            throw new AssertionError("escaped", e);
        });
        LeasedWorker worker = new LeasedWorker(
                new SimulatedStore(database, SimulatedStore.Link.DIRECT, Flaw.NONE),
                new LeaseStore.Terms("test", LAYOUT, 0, workers, LEASE, WINDOW, excluded),
                new LeasedWorker.Timing(RENEW, FIRST_ID, ofSeconds(3), false),
                1,
                new LeasedWorker.Environment(time, new SplittableRandom(++processes), thread, IdgenListener.NONE));
        return new Snowflake("test", LAYOUT, worker, worker);
    }

    private void freshRows(int workers) {
        for (int workerId = 0; workerId < workers; workerId++) {
            database.set(
                    workerId,
                    new WorkerRow(workerId, LAYOUT.toString(), 0, null, 0, 0, WINDOW.toMillis(), database.server()));
        }
    }

    private static int workerOf(long id) {
        return LAYOUT.parse(id).worker();
    }

    private WorkerRow row() {
        return database.row(WORKER_ID);
    }

    private Instant horizon() {
        return Instant.ofEpochMilli(row().horizon());
    }

    // ---- leases leave the row alone ----

    @Test
    void noLeaseTakesAReservedRow() {
        freshRows(2);
        Process fixed = new Process();
        fixed.next();

        for (int i = 0; i < 20; i++) {
            Snowflake leased = leased(2, Set.of());
            assertThat(workerOf(leased.nextId())).isEqualTo(1);
            closeInVirtualTime(leased);
            time.pass(ofMinutes(4));
        }
        assertThat(fixed.next().worker()).isEqualTo(WORKER_ID);
    }

    @Test
    void aLeaseSkipsReservedWorkerIdsWhoseRowsAreFree() {
        freshRows(3);

        for (int i = 0; i < 20; i++) {
            Snowflake leased = leased(3, Set.of(0, 2));
            assertThat(workerOf(leased.nextId())).isEqualTo(1);
            closeInVirtualTime(leased);
            time.pass(ofMinutes(4));
        }
    }

    /**
     * Returns how many ids are generated twice in five minutes, by a process that leases a row and a fixed one that
     * reserves it.
     */
    private int repeated(Process fixed) {
        freshRows(2);
        database.edit(
                1, row -> row.withLeaseUntil(Long.MAX_VALUE)); // so that only the first row can be leased by a process
        Snowflake leased = leased(2, Set.of());
        Set<Long> ids = new HashSet<>();
        int count = 0;
        int repeated = 0;
        for (int i = 0; i < 3_000; i++) {
            for (Snowflake each : List.of(leased, fixed.ids)) {
                if (each == fixed.ids && i < 100) {
                    continue; // the lease begins earlier
                }
                try {
                    long id = each.nextId();
                    count++;
                    assertThat(workerOf(id)).isEqualTo(WORKER_ID);
                    repeated += ids.add(id) ? 0 : 1;
                } catch (IdUnavailableException e) {
                    assertThat(e.code())
                            .isIn(ErrorCode.WORKER_IDS_TAKEN, ErrorCode.WINDOW_USED_UP, ErrorCode.IDS_UNAVAILABLE);
                }
            }
            time.pass(
                    Duration.ofNanos(100_370_000)); // clocks that are read in milliseconds then often show the same one
        }
        assertThat(count).isGreaterThan(1_000);
        return repeated;
    }

    @Test
    void aLeaseholderWhoseRowIsReservedUsesUpItsWindowAndNoIdIsRepeated() {
        Process fixed = new Process();

        assertThat(repeated(fixed)).isZero();
        assertThat(fixed.next().time()).isAfter(SimulatedDatabase.START.plus(WINDOW));
    }

    /** Shows that the test above can fail. */
    @Test
    void aFixedProcessThatIgnoresTheHorizonRepeatsIds() {
        OwnWindow window = new OwnWindow(ClockPolicy.parse(Defaults.CLOCK_POLICY), new HostTime().millis());
        LeaseStore forgetful = new SimulatedStore(database, SimulatedStore.Link.DIRECT, Flaw.NONE) {
            @Override
            public Optional<RowState> state(Terms terms, int workerId) {
                return super.state(terms, workerId)
                        .map(seen -> new RowState(
                                seen.nowMillis(),
                                seen.fence(),
                                0,
                                true,
                                seen.reserved(),
                                seen.token(),
                                seen.heldUntilMillis(),
                                seen.holder()));
            }

            @Override
            public boolean reserve(Terms terms, int workerId, RowState seen, String token, long horizonMillis) {
                return super.reserve(
                        terms, workerId, super.state(terms, workerId).orElseThrow(), token, horizonMillis);
            }
        };

        assertThat(repeated(new Process(window, forgetful))).isPositive();
    }

    // ---- one process at a time ----

    @Test
    void aSecondProcessIsRefusedAsLongAsTheFirstRenewsAndTheMessageNamesIt() {
        freshRows(1);
        Process first = new Process();
        first.next();
        Process second = new Process();

        for (int i = 0; i < 4; i++) {
            IdGenerationException e = second.refused();
            assertThat(e.code()).isEqualTo(ErrorCode.RESERVATION_TAKEN);
            assertThat(e)
                    .hasMessageContaining("worker id 0 in namespace 'test' is reserved by another process, process")
                    .hasMessageContaining("give this process another worker id, or stop the other one");
            assertThat(second.ids.snapshot().refused()).isEqualTo(ErrorCode.RESERVATION_TAKEN);
            assertThat(second.ids.snapshot().health()).isEqualTo(Health.DOWN);
            time.pass(ofMinutes(1));
        }
        assertThat(first.next().worker()).isEqualTo(WORKER_ID);
    }

    @Test
    void aProcessWithoutARowStopsAskingAfterItsCallsHaveEnded() {
        freshRows(1);
        new Process().next();
        Process second = new Process();

        second.refused();
        assertThat(second.statements).isGreaterThan(10); // a call waits for 30 s
        time.pass(ofSeconds(7));
        int asked = second.statements;
        time.pass(ofMinutes(10));

        assertThat(second.statements).isEqualTo(asked);
        second.refused();
        assertThat(second.statements).isGreaterThan(asked + 10);
    }

    @Test
    void theSuccessorOfAKilledProcessWaitsUntilItsReservationIsOneLeaseOld() {
        freshRows(1);
        Process killed = new Process();
        killed.next();
        time.pass(ofMinutes(2));
        Instant last = killed.next().time();
        killed.thread.kill();
        Duration before = time.elapsed();

        SnowflakeParts first = new Process().next();

        assertThat(time.elapsed().minus(before)).isBetween(LEASE.minus(RENEW).minusSeconds(1), LEASE);
        assertThat(first.time()).isAfter(last);
    }

    @Test
    void theSuccessorOfAKilledProcessWhoseClockWasAheadBeginsAboveIt() {
        freshRows(1);
        Process killed = new Process();
        killed.host.ahead = ofMinutes(2);
        killed.next();
        time.pass(RENEW.minusSeconds(1));
        killed.next();
        time.pass(RENEW.minusSeconds(1)); // the last renewal does not include the ids of this time
        Instant last = killed.next().time();
        killed.thread.kill();
        Process successor = new Process();
        assertThat(successor.refused().code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
        while (Instant.ofEpochMilli(successor.host.millis()).isBefore(last.minusSeconds(1))) {
            assertThat(successor.refused().code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
        }
        time.pass(ofMinutes(2));

        assertThat(successor.next().time()).isAfter(last);
    }

    @Test
    void theSuccessorOfAClosedProcessStartsAtOnceAboveIt() {
        freshRows(1);
        Process closed = new Process();
        closed.host.ahead = ofSeconds(2);
        Instant last = closed.next().time();
        closed.close();
        assertThat(horizon()).isAfter(last);
        assertThat(row().token()).isEqualTo("reserved");
        Duration before = time.elapsed();

        SnowflakeParts first = new Process().next();

        assertThat(first.time()).isAfter(last);
        assertThat(time.elapsed().minus(before)).isLessThan(ofSeconds(3));
    }

    @Test
    void generatorsOfOneProcessShareTheRowUntilTheLastIsClosed() {
        freshRows(1);
        OwnWindow window = new OwnWindow(ClockPolicy.parse(Defaults.CLOCK_POLICY), new HostTime().millis());
        window.users = 2;
        Process one = new Process(window);
        Process two = new Process(window);
        one.next();
        two.next();
        time.pass(ofMinutes(1));

        one.close();
        time.pass(ofMinutes(1));

        assertThat(two.next().worker()).isEqualTo(WORKER_ID);
        assertThat(row().token()).startsWith("process-");
        two.close();
        assertThat(row().token()).isEqualTo("reserved");
    }

    @Test
    void theStartIsLoggedWithTheTimeFromWhichIdsAreTheProcesssOwn() {
        freshRows(1);
        Instant horizon = Instant.ofEpochMilli(database.nowMillis()).plus(ofSeconds(20));
        database.edit(WORKER_ID, row -> row.withHorizon(horizon.toEpochMilli()));

        LOGS.forEach(log -> log.setLevel(Level.INFO));
        try (LogLines log = new LogLines(ReservedWorker.class)) {
            new Process().next();

            assertThat(log.lines())
                    .containsExactly(
                            "INFO test: worker id 0 in namespace 'test' is reserved for this process, ids from "
                                    + horizon + " on");
        } finally {
            LOGS.forEach(log -> log.setLevel(Level.OFF));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reserved by process another", "reserved for no process", "no longer reserved", "gone"})
    void aProcessThatHasLostItsRowStopsForGood(String found) {
        freshRows(1);
        Process process = new Process();
        process.next();
        WorkerRow mine = row();
        database.set(
                WORKER_ID,
                switch (found) {
                    case "gone" -> null;
                    case "no longer reserved" -> with(mine, null, 0);
                    case "reserved for no process" -> with(mine, "reserved", mine.leaseUntil());
                    default -> with(mine, "another", mine.leaseUntil());
                });

        time.pass(RENEW.plusSeconds(1));

        for (int i = 0; i < 2; i++) {
            IdGenerationException e = process.refused();
            assertThat(e.code()).isEqualTo(ErrorCode.RESERVATION_TAKEN);
            assertThat(e)
                    .hasMessageContaining("this process has lost worker id 0 in namespace 'test': its row is " + found);
            time.pass(ofMinutes(1));
        }
        assertThat(process.kinds()).containsExactly(Kind.STOPPED);
        assertThat(process.window.window.highest()).isEqualTo(Window.SEALED);
        process.close();
    }

    private static WorkerRow with(WorkerRow row, String token, long leaseUntil) {
        return row.changed(row.server(), row.horizon()).heldBy(token, leaseUntil);
    }

    @Test
    void aStaleReadOfItsRowStopsNobody() {
        freshRows(1);
        WorkerRow before = row();
        Process[] process = new Process[1];
        boolean[] stale = new boolean[1];
        LeaseStore store = new SimulatedStore(database, SimulatedStore.Link.DIRECT, Flaw.NONE) {
            @Override
            public Optional<RowState> state(Terms terms, int workerId) {
                return super.state(terms, workerId)
                        .map(seen -> stale[0]
                                ? new RowState(
                                        seen.nowMillis(), before.fence(), before.horizon(), true, false, null, 0, "")
                                : seen);
            }
        };
        process[0] =
                new Process(new OwnWindow(ClockPolicy.parse(Defaults.CLOCK_POLICY), new HostTime().millis()), store);
        process[0].next();

        stale[0] = true;
        time.pass(ofMinutes(1));

        assertThat(process[0].next().worker()).isEqualTo(WORKER_ID);
        assertThat(process[0].events).isEmpty();
    }

    // ---- the database ----

    @Test
    void anOutageStopsIdsAfterTheReservedTimeAndTheyContinueWithTheDatabase() {
        freshRows(1);
        Process process = new Process();
        process.next();
        Instant reserved = horizon();

        process.failure = new StoreUnavailableException("connection reset");
        Instant last = Instant.MIN;
        while (process.host.millis() < reserved.toEpochMilli()) {
            last = process.next().time();
            assertThat(last).isEqualTo(Instant.ofEpochMilli(process.host.millis()));
            time.pass(Duration.ofMillis(500));
        }
        assertThat(last).isBetween(reserved.minusSeconds(1), reserved.minusMillis(1));
        for (int i = 0; i < 3; i++) {
            Duration before = time.elapsed();
            IdGenerationException e = process.refused();
            assertThat(e).isInstanceOf(IdUnavailableException.class);
            assertThat(e.code()).isEqualTo(ErrorCode.WINDOW_USED_UP);
            assertThat(e)
                    .hasMessageContaining("the reserved time of worker id 0 in namespace 'test' ended at " + reserved)
                    .hasMessageContaining("connection reset")
                    .hasMessageContaining("lease the worker id (leave idgen.worker.assigner out)")
                    .hasMessageContaining("or set a longer idgen.worker.lease");
            assertThat(time.elapsed().minus(before)).isBetween(CALL, CALL.plusMillis(20));
            time.pass(ofMinutes(10));
        }
        assertThat(process.kinds()).containsExactly(Kind.OUTAGE_BEGAN);
        assertThat(((IdgenEvent.OutageBegan) process.events.get(0)).idsLeft()).isTrue();
        process.failure = null;
        time.pass(ofSeconds(12));

        assertThat(process.next().time()).isEqualTo(Instant.ofEpochMilli(process.host.millis()));
        assertThat(process.kinds()).containsExactly(Kind.OUTAGE_BEGAN, Kind.OUTAGE_ENDED);
        assertThat(horizon()).isAfter(Instant.ofEpochMilli(database.nowMillis()).plus(LEASE.minus(RENEW)));
    }

    @Test
    void aSnapshotShowsTheReservationAndAnOutage() {
        freshRows(1);
        Process process = new Process();
        assertThat(process.ids.snapshot().hasIds()).isFalse();
        assertThat(process.ids.snapshot().leaseLeft()).isNull();
        process.next();
        time.pass(ofMinutes(5));

        SnowflakeSnapshot renewed = process.ids.snapshot();
        assertThat(renewed.workerId()).isEqualTo(WORKER_ID);
        assertThat(renewed.leaseLeft()).isBetween(LEASE.minus(RENEW).minusSeconds(1), LEASE);
        assertThat(renewed.windowLeft()).isBetween(LEASE.minus(RENEW).minusSeconds(1), LEASE);
        assertThat(renewed.waits().calls()).isEqualTo(1);
        assertThat(renewed.outage()).isNull();
        assertThat(renewed.health()).isEqualTo(Health.UP);

        process.failure = new StoreUnavailableException("connection reset");
        time.pass(RENEW.plusSeconds(5));
        SnowflakeSnapshot away = process.ids.snapshot();
        assertThat(away.health()).isEqualTo(Health.DEGRADED);
        assertThat(away.hasIds()).isTrue();
        assertThat(away.outage().duration()).isBetween(Duration.ZERO, RENEW.plusSeconds(5));
        assertThat(away.failures()).isEqualTo(away.outage().failures());

        time.pass(ofMinutes(1));
        SnowflakeSnapshot over = process.ids.snapshot();
        assertThat(over.hasIds()).isFalse();
        assertThat(over.leaseLeft()).isZero();
        assertThat(over.windowLeft()).isZero();
        assertThat(over.health()).isEqualTo(Health.DOWN);

        process.close();
        assertThat(process.ids.snapshot().ended()).isEqualTo(ErrorCode.SOURCE_CLOSED);
        assertThat(process.ids.snapshot().hasIds()).isFalse();
    }

    // ---- a process that its successor does not know of ----

    /**
     * Returns how many ids are generated twice by a process that is stopped for 40 s, or cut off from the database, and
     * the process that is admitted meanwhile.
     */
    private int repeatedBy(Process first, Duration firstsClock, boolean stopped) {
        freshRows(1);
        first.host.ahead = firstsClock;
        Set<Long> ids = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            ids.add(first.ids.nextId());
            time.pass(ofSeconds(1));
        }
        if (stopped) {
            first.thread.stopUntil(time.nanoTime() + ofSeconds(41).toNanos()); // a call may run before the renewal
        } else {
            first.failure = new StoreUnavailableException("cut off");
        }
        long goesOn = time.nanoTime() + ofSeconds(40).toNanos();
        Process second = new Process();
        int repeated = 0;
        int ofSecond = 0;
        for (int i = 0; i < 4_000; i++) {
            boolean running = !stopped || time.nanoTime() > goesOn;
            for (Process each : running ? List.of(second, first) : List.of(second)) {
                try {
                    long id = each.ids.nextId();
                    repeated += ids.add(id) ? 0 : 1;
                    ofSecond += each == second ? 1 : 0;
                } catch (IdGenerationException e) {
                    assertThat(e.code())
                            .isIn(ErrorCode.RESERVATION_TAKEN, ErrorCode.WINDOW_USED_UP, ErrorCode.IDS_UNAVAILABLE);
                }
            }
            time.pass(Duration.ofMillis(20));
        }
        assertThat(ofSecond).isPositive();
        return repeated;
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "false, 0", "true, 5", "false, 5", "false, 600", "false, -5"})
    void aProcessThatIsStoppedOrCutOffRepeatsNoIdOfItsSuccessor(boolean stopped, long clockAheadSeconds) {
        assertThat(repeatedBy(new Process(), ofSeconds(clockAheadSeconds), stopped))
                .isZero();
    }

    @Test
    void aBurstThatRunsAheadBeforeAKillIsBelowAllIdsOfTheSuccessor() {
        freshRows(1);
        for (String policy : List.of("run-ahead:10s", "reuse:2048")) {
            Process first = new Process(new OwnWindow(ClockPolicy.parse(policy), new HostTime().millis()));
            Instant highest = Instant.MIN;
            first.next();
            time.pass(RENEW.minusSeconds(1));
            for (int i = 0; i < 4096 * 20_000 / 1000; i++) {
                long[] ids = first.ids.nextIds(1000);
                for (long id : ids) {
                    Instant at = LAYOUT.parse(id).time();
                    highest = at.isAfter(highest) ? at : highest;
                }
                if (i % 1000 == 0) {
                    time.pass(Duration.ofMillis(1));
                }
                assertThat(highest).isBefore(horizon());
                if (highest.isAfter(Instant.ofEpochMilli(first.host.millis()).plusMillis(2_000))) {
                    break;
                }
            }
            assertThat(highest)
                    .isAfter(Instant.ofEpochMilli(first.host.millis()).plusMillis(1_500));
            first.thread.kill();
            time.pass(LEASE.plusSeconds(1));

            Process successor = new Process();
            time.pass(ofMinutes(1));
            assertThat(successor.next().time()).isAfter(highest);
            successor.close();
        }
    }

    /** A store whose rows have a horizon just above the present, whatever a process reserves, as in an early version. */
    private final class HeartbeatStore extends SimulatedStore {
        private final Link link;
        private long fence = -1;
        private long believed;

        HeartbeatStore(Link link) {
            super(database, link, Flaw.NONE);
            this.link = link;
        }

        @Override
        public Optional<RowState> state(Terms terms, int workerId) {
            return super.state(terms, workerId)
                    .map(seen -> seen.fence() != fence
                            ? seen
                            : new RowState(
                                    seen.nowMillis(),
                                    seen.fence(),
                                    believed,
                                    true,
                                    true,
                                    seen.token(),
                                    seen.heldUntilMillis(),
                                    seen.holder()));
        }

        @Override
        public boolean reserve(Terms terms, int workerId, RowState seen, String token, long horizonMillis) {
            WorkerRow row = row();
            RowState now = new RowState(0, seen.fence(), row.horizon(), true, true, null, 0, "");
            long horizon = Math.max(row.horizon(), database.nowMillis() + 1);
            Terms shorter = new Terms("test", LAYOUT, WORKER_ID, 1, LEASE, WINDOW);
            if (!super.reserve(shorter, workerId, now, token, horizon)) {
                return false;
            }
            fence = seen.fence() + 1;
            believed = horizonMillis;
            return true;
        }
    }

    /** Shows that the test above can fail: a process that uses an hour which its row does not have. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProcessThatUsesTimeThatItsRowDoesNotHaveRepeatsIds(boolean stopped) {
        Process[] first = new Process[1];
        SimulatedStore.Link link = new SimulatedStore.Link() {
            @Override
            public <T> T call(String statement, Supplier<T> work) {
                return first[0].call(statement, work);
            }
        };
        first[0] = new Process(
                new OwnWindow(ClockPolicy.parse(Defaults.CLOCK_POLICY), new HostTime().millis()),
                new HeartbeatStore(link),
                Duration.ofHours(1));

        assertThat(repeatedBy(first[0], Duration.ZERO, stopped)).isPositive();
    }

    // ---- copies of a process ----

    @Test
    void ofAProcessAndItsCopyOneStopsAtTheNextRenewal() {
        freshRows(1);
        Process process = new Process();
        process.next();
        WorkerRow mine = row();

        database.set(
                WORKER_ID,
                mine.changed(mine.server(), mine.horizon())
                        .withHorizon(mine.horizon() + RENEW.toMillis())
                        .heldBy(mine.token().substring(0, 24) + "-copy", mine.leaseUntil() + RENEW.toMillis()));
        time.pass(RENEW.plusSeconds(1));

        IdGenerationException e = process.refused();
        assertThat(e.code()).isEqualTo(ErrorCode.RESERVATION_TAKEN);
        assertThat(e).hasMessageContaining("a copy of this process renewed it");
        assertThat(process.window.window.highest()).isEqualTo(Window.SEALED);
    }

    private void suspendInVirtualTime(Process process) {
        Thread.currentThread().interrupt();
        process.worker.suspend();
        assertThat(Thread.interrupted()).isTrue();
        time.pass(Duration.ZERO);
    }

    @Test
    void aCheckpointGivesTheRowBackAndTheNextIdTakesItWithANewToken() {
        freshRows(1);
        Process process = new Process();
        Instant last = process.next().time();
        String before = row().token();

        suspendInVirtualTime(process);

        assertThat(process.window.window.highest()).isEqualTo(Window.SEALED);
        assertThat(row().token()).isEqualTo("reserved");
        assertThat(horizon()).isEqualTo(last.plusMillis(1));
        assertThat(process.refused()).hasMessageContaining("a checkpoint of this process is under way");
        assertThat(row().token()).isEqualTo("reserved");

        process.worker.resume();
        time.pass(ofSeconds(1));
        assertThat(process.next().time()).isAfter(last);
        assertThat(row().token()).startsWith("process-").isNotEqualTo(before);
        assertThat(row().token().substring(0, 24)).isNotEqualTo(before.substring(0, 24));
        assertThat(process.events).isEmpty();
    }

    // ---- the loop ----

    @Test
    void renewalsSurviveWhateverAStoreThrows() {
        freshRows(1);
        Process process = new Process();
        process.next();
        for (Throwable each : List.of(new OutOfMemoryError("no heap"), new Exception("not declared"))) {
            process.thrown = each;
            time.pass(RENEW.plusSeconds(1));
            process.thrown = null;
            time.pass(ofMinutes(2));

            assertThat(process.next().worker()).isEqualTo(WORKER_ID);
        }
        assertThat(process.ids.snapshot().failures()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void aThreadThatTheHostRefusesForAMomentIsStartedAgainByTheNextCall() {
        freshRows(1);
        Process process = new Process();
        process.refusedThreads = Integer.MAX_VALUE;
        assertThat(process.refused()).hasMessageContaining("unable to create native thread");

        process.refusedThreads = 3;
        assertThat(process.next().worker()).isEqualTo(WORKER_ID);
        for (int renewal = 0; renewal < 10; renewal++) {
            process.refusedThreads = 3; // the background thread waits until it has planned its next turn
            time.pass(RENEW.plusSeconds(1));
            assertThat(process.next().worker()).isEqualTo(WORKER_ID);
        }
    }

    @Test
    void withoutItsDatabaseAProcessDoesNotStartAndSaysWhy() {
        freshRows(1);
        Process process = new Process();
        process.failure = new StoreUnavailableException("connection reset");

        IdGenerationException e = process.refused();

        assertThat(e.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
        assertThat(e)
                .hasMessageContaining("worker id 0 in namespace 'test' was not reserved within 30 s")
                .hasMessageContaining("connection reset");
        assertThat(((IdgenEvent.OutageBegan) process.events.get(0)).idsLeft()).isFalse();
        process.failure = null;
        assertThat(process.next().worker()).isEqualTo(WORKER_ID);
    }

    @Test
    void aRefusedConnectionFailsEachCallImmediatelyUntilTheNextAttempt() {
        freshRows(1);
        Process process = new Process();
        process.failure = new StoreUnreachableException("wrong password", new IllegalStateException());
        Duration before = time.elapsed();

        for (int i = 0; i < 10; i++) {
            assertThat(process.refused())
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("no reservation of")
                    .hasMessageContaining("IDGEN-401: wrong password");
        }
        assertThat(time.elapsed().minus(before)).isLessThan(ofSeconds(1)); // each call would wait for 30 s
        assertThat(process.ids.snapshot().failures()).isOne();

        process.failure = null;
        time.pass(ofSeconds(1));
        assertThat(process.next().worker()).isEqualTo(WORKER_ID);
    }

    @Test
    void aRefusalOfTheStoreReachesTheCallerAndTheNextCallTriesAgain() {
        freshRows(1);
        Process process = new Process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no such table");

        assertThat(process.refused()).isInstanceOf(AllocationException.class).hasCause(process.failure);
        assertThat(process.ids.snapshot().refused()).isEqualTo(ErrorCode.TABLE_MISSING);
        process.failure = null;

        assertThat(process.next().worker()).isEqualTo(WORKER_ID);
        assertThat(process.ids.snapshot().refused()).isNull();
    }

    @Test
    void theTypeOfAnExceptionAndNotItsCodeMakesAnOutage() {
        freshRows(1);
        Process process = new Process();
        process.failure = new IdGenerationException(ErrorCode.DATABASE_FAILED, "the code of an outage");

        assertThat(process.refused())
                .isNotInstanceOf(IdUnavailableException.class)
                .hasCause(process.failure);
    }

    @Test
    void aReservationWhoseAnswerWasLostIsTheProcesssOwn() {
        freshRows(1);
        Process process = new Process();
        process.nextAnswerIsLost = true;

        assertThat(process.next().worker()).isEqualTo(WORKER_ID);
        process.nextAnswerIsLost = true;
        time.pass(ofMinutes(1));

        assertThat(process.next().worker()).isEqualTo(WORKER_ID);
        assertThat(process.kinds())
                .containsExactly(Kind.OUTAGE_BEGAN, Kind.OUTAGE_ENDED, Kind.OUTAGE_BEGAN, Kind.OUTAGE_ENDED);
    }

    @Test
    void eachRenewalRaisesTheHorizonAboveAllIds() {
        freshRows(1);
        Process process = new Process();
        process.next();
        process.host.ahead = ofMinutes(5);
        Instant last = process.next().time();

        time.pass(RENEW.plusSeconds(1));

        assertThat(horizon()).isAfter(last);
        process.host.ahead = Duration.ZERO;
        time.pass(ofMinutes(6));
        assertThat(Duration.between(Instant.ofEpochMilli(database.nowMillis()), horizon()))
                .isBetween(LEASE.minus(RENEW).minusSeconds(1), LEASE);
    }

    @Test
    void whatAnotherServerMayHaveGrantedAndLostIsLeftAlone() {
        freshRows(1);
        database.failOver(0, 0);
        Process process = new Process();
        Instant now = Instant.ofEpochMilli(database.nowMillis());

        assertThat(process.refused())
                .hasMessageContaining("worker id 0 in namespace 'test' is reserved, but times before ")
                .hasMessageContaining("belong to its earlier holder");
        time.pass(ofMinutes(3));

        assertThat(process.next().time()).isAfterOrEqualTo(now.plus(WINDOW).plus(LeaseStore.SERVER_SKEW));
    }

    @Test
    void aServerThatTakesOverWithTheReservationStopsNobody() {
        freshRows(1);
        Process process = new Process();
        process.next();
        time.pass(RENEW.multipliedBy(3));

        database.failOver(1, 0);
        time.pass(ofMinutes(1));

        assertThat(process.next().worker()).isEqualTo(WORKER_ID);
        assertThat(row().server()).isEqualTo(database.server());
        assertThat(process.events).isEmpty();
    }

    // ---- the clock ----

    @Test
    void theFirstIdWaitsUntilTheClockHasPassedTheHorizon() {
        freshRows(1);
        Instant horizon = Instant.ofEpochMilli(database.nowMillis()).plus(ofSeconds(20));
        database.edit(WORKER_ID, row -> row.withHorizon(horizon.toEpochMilli()));

        assertThat(new Process().next().time()).isBetween(horizon, horizon.plusMillis(10));
        assertThat(Instant.ofEpochMilli(database.nowMillis())).isAfterOrEqualTo(horizon);
    }

    @Test
    void aClockThatStepsBackBelowTheHorizonGivesNoIdsBelowIt() {
        freshRows(1);
        Instant horizon = Instant.ofEpochMilli(database.nowMillis()).plus(ofSeconds(20));
        database.edit(WORKER_ID, row -> row.withHorizon(horizon.toEpochMilli()));
        Process process = new Process();
        process.ids.warmUp();

        process.host.ahead = ofSeconds(-10);
        int refused = 0;
        for (int i = 0; i < 5_000; i++) {
            try {
                assertThat(process.next().time()).isAfterOrEqualTo(horizon);
            } catch (ClockMovedBackwardsException e) {
                refused++;
            }
        }

        assertThat(refused).isPositive();
    }

    @Test
    void anInterruptedCallSaysSoAndTheNextOneWorks() {
        freshRows(1);
        Process process = new Process();

        Thread.currentThread().interrupt();
        IdGenerationException e = process.refused();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED);
        assertThat(process.next().worker()).isEqualTo(WORKER_ID);
    }

    @Test
    void aClosedGeneratorGivesNoIds() {
        freshRows(1);
        Process process = new Process();
        process.next();

        process.close();

        assertThat(process.refused().code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
        time.pass(ofMinutes(1));
        assertThat(row().token()).isEqualTo("reserved");
    }
}
