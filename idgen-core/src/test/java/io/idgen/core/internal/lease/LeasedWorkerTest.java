package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
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
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.internal.window.Window;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.snowflake.SnowflakeAccess;
import io.idgen.core.testing.LogLines;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the behaviour of a lease in each situation, in virtual time. */
@Timeout(600)
@Quiet(LeaseKeeper.class)
class LeasedWorkerTest {
    private static final Logger LOG = Logger.getLogger(LeaseKeeper.class.getName());
    private static final Duration LEASE = ofSeconds(30);
    private static final Duration WINDOW = ofSeconds(180);
    private static final Duration RENEW = ofSeconds(10);
    private static final Duration FIRST_ID = ofSeconds(30);
    private static final Duration NEXT_ID = ofSeconds(3);
    private static final int NEVER = 0;

    private final VirtualTime time = new VirtualTime();
    private final SimulatedDatabase database = new SimulatedDatabase(time);
    private final List<Process> processes = new ArrayList<>();
    private SnowflakeLayout layout = SnowflakeLayout.IDGEN;
    private int workers = 4;
    private boolean keepHorizon;

    /** A process that records its statements to the store and its events. */
    private final class Process implements SimulatedStore.Link {
        record Statement(String name, Duration at) {}

        final List<Statement> statements = new ArrayList<>();
        final List<IdgenEvent> events = new ArrayList<>();
        final SimulatedThread thread = new SimulatedThread(time, e -> {
            throw new AssertionError("escaped", e);
        });
        final LeasedWorker worker;
        final Snowflake ids;
        IdgenListener listener = event -> {};
        RuntimeException failure;
        boolean nextExtensionIsLate;
        Supplier<Boolean> lateExtension;
        final Map<String, Runnable> beforehand = new HashMap<>();
        final Map<String, Deque<Runnable>> afterwards = new HashMap<>();
        long last = -1;

        Process() {
            worker = new LeasedWorker(
                    new SimulatedStore(database, this, Flaw.NONE),
                    new LeaseStore.Terms("test", layout, 0, workers, LEASE, WINDOW),
                    new LeasedWorker.Timing(RENEW, FIRST_ID, NEXT_ID, keepHorizon),
                    1,
                    new LeasedWorker.Environment(time, new SplittableRandom(processes.size()), thread, event -> {
                        events.add(event);
                        listener.onEvent(event);
                    }));
            ids = SnowflakeAccess.snowflake("test", layout, worker, worker);
            processes.add(this);
        }

        @Override
        public <T> T call(String statement, Supplier<T> work) {
            statements.add(new Statement(statement, time.elapsed()));
            Runnable first = beforehand.getOrDefault(statement, beforehand.get("any"));
            if (first != null) {
                first.run();
            }
            if (failure != null) {
                throw failure;
            }
            if (nextExtensionIsLate && statement.equals("extend")) {
                nextExtensionIsLate = false;
                lateExtension = () -> (Boolean) work.get();
                throw new StoreUnavailableException("no answer");
            }
            T answer = work.get();
            Deque<Runnable> next = afterwards.get(statement);
            if (next != null && !next.isEmpty()) {
                next.remove().run();
            }
            return answer;
        }

        /** Registers an action to run before each statement of a kind, or of any kind. */
        void before(String statement, Runnable action) {
            beforehand.put(statement, action);
        }

        /** Registers an action to run once after a statement has taken effect, before its answer. */
        void onNext(String statement, Runnable action) {
            afterwards.computeIfAbsent(statement, any -> new ArrayDeque<>()).add(action);
        }

        void fails() {
            failure = new StoreUnavailableException("connection reset");
        }

        void works() {
            failure = null;
        }

        /** Generates the next id, and checks that it is above all earlier ones. */
        SnowflakeParts next() {
            return parts(ids.nextId());
        }

        SnowflakeParts parts(long id) {
            assertThat(id).isGreaterThan(last);
            last = id;
            return layout.parse(id);
        }

        /** Generates ids at this rate for this long. */
        void run(int perSecond, Duration duration) {
            long end = time.nanoTime() + duration.toNanos();
            while (time.nanoTime() < end) {
                long[] batch = ids.nextIds(perSecond / 100);
                parts(batch[0]);
                last = batch[batch.length - 1];
                time.pass(ofMillis(10));
            }
        }

        IdGenerationException refused() {
            return assertThrows(IdGenerationException.class, ids::nextId);
        }

        List<Kind> kinds() {
            return events.stream().map(IdgenEvent::kind).toList();
        }

        List<Duration> times(String statement) {
            return statements.stream()
                    .filter(each -> each.name.equals(statement))
                    .map(Statement::at)
                    .toList();
        }

        void close() {
            Thread.currentThread().interrupt(); // so that closing does not wait for the release
            ids.close();
            assertThat(Thread.interrupted()).isTrue();
            time.pass(Duration.ZERO);
        }

        int workerId() {
            return parts(ids.nextId()).worker();
        }
    }

    private Process process() {
        return new Process();
    }

    /** Creates rows of the present server; none is leased. */
    private void freshRows() {
        for (int workerId = 0; workerId < workers; workerId++) {
            set(workerId, 0, null, NEVER, 0);
        }
    }

    private void set(int workerId, long fence, String token, long leaseUntil, long horizon) {
        database.set(
                workerId,
                new WorkerRow(
                        workerId,
                        layout.toString(),
                        fence,
                        token,
                        leaseUntil,
                        horizon,
                        WINDOW.toMillis(),
                        database.server()));
    }

    /** Lets another process lease the row. */
    private void takenByAnother(int workerId) {
        long now = database.nowMillis();
        database.edit(
                workerId,
                row -> row.changed(row.server(), row.horizon())
                        .heldBy("another", now + ofMinutes(60).toMillis())
                        .withHorizon(row.horizon() + 1000));
    }

    private Instant now() {
        return Instant.ofEpochMilli(database.nowMillis());
    }

    private Duration lag(SnowflakeParts parts) {
        return Duration.between(parts.time(), now());
    }

    private WorkerRow row(int workerId) {
        return database.row(workerId);
    }

    // ---- the ordinary course ----

    @Test
    void nothingIsAskedBeforeTheFirstId() {
        Process process = process();

        time.pass(ofMinutes(1));

        assertThat(process.statements).isEmpty();
    }

    @Test
    void theFirstIdIsOfTheStoresTime() {
        freshRows();
        database.stepClock(ofMinutes(60).toMillis());

        SnowflakeParts first = process().next();

        assertThat(lag(first)).isBetween(Duration.ZERO, ofMillis(10));
    }

    @Test
    void newRowsAreUsedOnlyAfterAWindowAndTheSkewOfServersHavePassed() {
        Process process = process();

        Instant begun = now();
        SnowflakeParts first = process.next();

        assertThat(first.time()).isAfterOrEqualTo(begun.plus(WINDOW).plus(LeaseStore.SERVER_SKEW));
        assertThat(time.elapsed()).isBetween(ofSeconds(6), ofSeconds(10));
    }

    @Test
    void theFirstWindowIsShortAndTheNextIsWhole() {
        freshRows();
        Process process = process();

        SnowflakeParts first = process.next();
        Instant firstEnd = Instant.ofEpochMilli(row(first.worker()).horizon());
        time.pass(ofSeconds(6));
        Instant end = Instant.ofEpochMilli(row(first.worker()).horizon());

        assertThat(Duration.between(first.time(), firstEnd)).isEqualTo(LeaseProtocol.FIRST_WINDOW);
        assertThat(Duration.between(now(), end)).isBetween(WINDOW.minusSeconds(2), WINDOW);
    }

    @Test
    void renewalsAreTenSecondsApartGiveOrTakeATenth() {
        freshRows();
        Process process = process();
        process.next();

        time.pass(ofMinutes(30));

        List<Duration> renewals = process.times("extend");
        List<Long> apart = new ArrayList<>();
        for (int i = 1; i < renewals.size(); i++) {
            apart.add(renewals.get(i).minus(renewals.get(i - 1)).toMillis());
        }
        assertThat(renewals.get(0)).isBetween(ofMillis(4500), ofMillis(5500));
        assertThat(apart).allSatisfy(millis -> assertThat(millis).isBetween(9000L, 11_000L));
        assertThat(apart.stream().distinct().count()).isGreaterThan(100);
        assertThat(process.times("look")).hasSameSizeAs(renewals);
    }

    @Test
    void processesThatStartAtOnceHaveWorkerIdsOfTheirOwn() {
        freshRows();

        List<Integer> taken = List.of(process(), process(), process(), process()).stream()
                .map(Process::workerId)
                .toList();

        assertThat(taken).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void aBurstRunsAheadOfTheTimeByHalfASecondAtMost() {
        freshRows();
        Process process = process();
        process.next();
        int parks = time.parks();

        process.parts(process.ids.nextIds(4096 * 225)[0]);
        process.last = process.ids.nextIds(4096 * 225)[0];
        assertThat(time.parks()).isEqualTo(parks);
        for (int i = 0; i < 20; i++) {
            process.last = process.ids.nextIds(4096 * 100)[0];
            assertThat(lag(process.next())).isBetween(ofMillis(-501), Duration.ZERO);
        }

        assertThat(time.parks()).isGreaterThan(parks);
    }

    // ---- outages of the store ----

    @Test
    void anOutageOfAMinuteIsNotNoticed() {
        freshRows();
        Process process = process();
        process.run(20_000, ofMinutes(1));
        int parks = time.parks();

        process.fails();
        process.run(20_000, ofMinutes(1));
        Duration lag = lag(process.next());
        process.works();
        process.run(20_000, ofSeconds(20));

        assertThat(time.parks()).isEqualTo(parks);
        assertThat(lag).isLessThan(ofSeconds(16));
        assertThat(lag(process.next())).isLessThan(ofSeconds(1));
    }

    @Test
    void anOutageOfHalfAnHourCostsNoCallOnlyTheTimeOfTheIds() {
        freshRows();
        Process process = process();
        process.run(20_000, ofMinutes(1));
        int parks = time.parks();

        process.fails();
        Duration failing = time.elapsed();
        List<Duration> held = new ArrayList<>();
        process.listener = event -> {
            if (event.kind() == Kind.CLOCK_HELD) {
                held.add(time.elapsed());
            }
        };
        process.run(20_000, ofMinutes(30));
        Duration lag = lag(process.next());
        assertThat(process.ids.lag()).isBetween(lag.minusMillis(1), lag.plusMillis(1));
        process.works();
        process.run(20_000, ofSeconds(20));

        assertThat(process.ids.lag()).isZero();
        assertThat(time.parks()).isEqualTo(parks);
        assertThat(held.get(0).minus(failing))
                .isBetween(WINDOW.dividedBy(4).minus(RENEW.multipliedBy(2)), ofSeconds(56));
        assertThat(lag).isBetween(ofMinutes(29), ofMinutes(30));
        assertThat(lag(process.next())).isLessThan(ofSeconds(1));
        assertThat(process.kinds())
                .containsExactly(
                        Kind.LEASE_ACQUIRED, Kind.OUTAGE_BEGAN, Kind.CLOCK_HELD, Kind.OUTAGE_ENDED, Kind.CLOCK_RESUMED);
        IdgenEvent.ClockResumed ended = (IdgenEvent.ClockResumed) process.events.get(4);
        assertThat(ended.duration()).isBetween(ofMinutes(29), ofMinutes(30));
        IdgenEvent.LeaseAcquired acquired = (IdgenEvent.LeaseAcquired) process.events.get(0);
        assertThat(Duration.between(acquired.begin(), acquired.leasedUntil())).isBetween(LEASE.minusSeconds(1), LEASE);
        assertThat(acquired.horizon()).isAfter(acquired.begin());
    }

    @Test
    void aProcessThatFindsNoStoreSaysSoWhenItsTimeIsOver() {
        Process process = process();
        process.fails();

        IdGenerationException refusal = process.refused();

        assertThat(refusal.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
        assertThat(refusal)
                .hasMessageContaining("within 30 s")
                .hasMessageContaining("connection reset")
                .hasCause(process.failure);
        assertThat(time.elapsed()).isBetween(FIRST_ID, FIRST_ID.plusMillis(10));
    }

    @Test
    void aFailingStoreIsAskedMoreAndMoreSeldom() {
        Process process = process();
        process.fails();

        process.refused();
        time.pass(ofMinutes(5));

        List<Duration> all = process.times("candidates");
        assertThat(all).hasSizeBetween(30, 45);
        assertThat(all.get(1).minus(all.get(0))).isBetween(ofMillis(225), ofMillis(275));
    }

    @Test
    void aWindowThatIsUsedUpMakesCallsWaitForTheirTime() {
        layout = new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), ofMillis(1), 61, 0, 2, 0);
        freshRows();
        Process process = process();
        process.next();
        time.pass(ofSeconds(6));
        process.fails();
        time.pass(ofMinutes(2)); // ids no longer follow the time
        long left = process.worker.window().lastTick() - process.worker.window().highestTick();
        process.last = process.ids.nextIds((int) left)[0];

        Duration begun = time.elapsed();
        IdGenerationException refusal = process.refused();

        assertThat(refusal.code()).isEqualTo(ErrorCode.WINDOW_USED_UP);
        assertThat(time.elapsed().minus(begun)).isBetween(NEXT_ID, NEXT_ID.plusMillis(10));
        process.works();
        process.next();
    }

    @Test
    void aCallThatWaitsAtTheEndOfTheWindowIsWokenByTheRenewal() {
        layout = new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), ofMillis(1), 61, 0, 2, 0);
        freshRows();
        Process process = process();
        process.next();
        time.pass(ofSeconds(6));
        process.fails();
        time.pass(ofMinutes(2));
        long left = process.worker.window().lastTick() - process.worker.window().highestTick();
        process.last = process.ids.nextIds((int) left)[0];
        int extensions = process.times("extend").size();
        process.refused(); // so that the next attempt comes soon
        process.works();
        int parks = time.parks();

        process.next();

        assertThat(time.elapsed()).isEqualTo(process.times("extend").get(extensions));
        assertThat(time.parks() - parks).isEqualTo(1);
    }

    // ---- the store's clock ----

    @ParameterizedTest
    @ValueSource(longs = {-600, 600, -31_536_000, 31_536_000, -2})
    void aStepOfTheStoresClockCostsNothing(long seconds) {
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        int parks = time.parks();

        database.stepClock(ofSeconds(seconds).toMillis());
        process.run(1000, ofMinutes(5));

        assertThat(time.parks()).isEqualTo(parks);
        assertThat(process.kinds()).doesNotContain(Kind.LEASE_LOST, Kind.OUTAGE_BEGAN);
        if (seconds > 0) {
            assertThat(lag(process.next())).isLessThan(ofSeconds(1));
        }
        database.stepClock(-ofSeconds(seconds).toMillis());
        process.run(1000, ofMinutes(5));
        assertThat(time.parks()).isEqualTo(parks);
        if (seconds < 0) {
            assertThat(lag(process.next())).isLessThan(ofSeconds(1));
        }
    }

    @Test
    void whereTheStoresClockStepsBackForLongerThanTheWindowLastsTheMessageNamesTheStep() {
        layout = new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), ofMillis(1), 61, 0, 2, 0);
        freshRows();
        Process process = process();
        process.next();
        time.pass(ofMinutes(1));
        database.stepClock(-ofMinutes(10).toMillis());
        time.pass(ofSeconds(20));
        long left = process.worker.window().lastTick() - process.worker.window().highestTick();
        process.last = process.ids.nextIds((int) left)[0];

        IdGenerationException refusal = process.refused();

        assertThat(refusal.code()).isEqualTo(ErrorCode.WINDOW_USED_UP);
        assertThat(refusal)
                .hasMessageContaining("the database's clock stepped back: it is at 2025-12-31T23:51:")
                .hasMessageContaining("and was at 2026-01-01T00:00:")
                .hasMessageContaining("in 572 s")
                .hasMessageNotContaining("the database is slow");
        assertThat(process.times("acquire")).as("no other row has higher ids").hasSize(1);
        assertThat(process().workerId()).isNotEqualTo(0);
        time.pass(ofMinutes(10));
        process.next();
        assertThat(process.kinds()).doesNotContain(Kind.LEASE_LOST, Kind.OUTAGE_BEGAN);
    }

    @Test
    void whereAllHorizonsAreAheadOfTheClockTheMessageSaysUntilWhen() {
        freshRows();
        for (int workerId = 0; workerId < workers; workerId++) {
            set(workerId, 1, null, NEVER, database.nowMillis() + WINDOW.toMillis() + 5_000);
        }
        database.freezeClock(true);

        IdGenerationException refusal = process().refused();

        assertThat(refusal.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
        assertThat(refusal)
                .hasMessageContaining("can be leased in 6 s")
                .hasMessageNotContaining("the database is slow");
    }

    @Test
    void aStepBackByUpToTwiceWhatABurstMayRunAheadCostsAWaitOfHalfASecondAtMost() {
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));

        database.stepClock(-1000);
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 2000; i++) {
            Duration begun = time.elapsed();
            process.next();
            Duration taken = time.elapsed().minus(begun);
            longest = taken.compareTo(longest) > 0 ? taken : longest;
            time.pass(ofMillis(10));
        }

        assertThat(longest).isBetween(ofMillis(100), LeasedWorker.RUN_AHEAD.plusMillis(10));
    }

    @Test
    void idsFollowTheTimeAgainOnlyWhenTheyNeedNotWaitForIt() {
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        int parks = time.parks();

        for (int back = 2000; back < 12_000; back += 250) {
            database.stepClock(-back);
            process.run(1000, ofSeconds(35));
        }

        assertThat(time.parks()).isEqualTo(parks);
        assertThat(lag(process.next())).isLessThan(ofSeconds(1));
    }

    @Test
    void aFrozenClockCostsNothing() {
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        int parks = time.parks();

        database.freezeClock(true);
        process.run(1000, ofMinutes(5)); // longer than a window
        database.freezeClock(false);
        process.run(1000, ofMinutes(1));

        assertThat(time.parks()).isEqualTo(parks);
        assertThat(lag(process.next())).isLessThan(ofSeconds(1));
    }

    // ---- the lease is lost ----

    @Test
    void aLeaseThatAnotherHasTakenIsReplacedWithinTwoRenewals() {
        freshRows();
        Process process = process();
        int before = process.workerId();
        process.run(1000, ofMinutes(1));

        takenByAnother(before);
        process.run(1000, RENEW.multipliedBy(2).plusSeconds(2));

        assertThat(process.workerId()).isNotEqualTo(before);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED, Kind.LEASE_LOST, Kind.LEASE_ACQUIRED);
    }

    @Test
    void withoutAnotherRowIdsGoOnToTheEndOfTheWindow() {
        workers = 1;
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        int parks = time.parks();

        takenByAnother(0);
        process.run(1000, ofSeconds(160));

        assertThat(time.parks()).isEqualTo(parks);
    }

    @Test
    void aRowThatIsGoneIsReplaced() {
        freshRows();
        Process process = process();
        int before = process.workerId();

        database.set(before, null);
        process.run(1000, ofSeconds(12));

        assertThat(process.workerId()).isNotEqualTo(before);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED, Kind.LEASE_LOST, Kind.LEASE_ACQUIRED);
    }

    @Test
    void whatAnUnansweredRenewalHasGrantedIsNotUsedAndTheRowIsTakenAgain() {
        workers = 1;
        freshRows();
        Process process = process();
        process.run(100, ofMinutes(1));
        Instant end = Instant.ofEpochMilli(row(0).horizon());

        process.onNext("extend", () -> {
            throw new StoreUnavailableException("no answer");
        });
        while (row(0).horizon() == end.toEpochMilli()) {
            process.run(100, ofMillis(10));
        }
        Instant unseenEnd = Instant.ofEpochMilli(row(0).horizon());
        for (int i = 0; i < 300; i++) {
            process.run(100, ofSeconds(1));
            Instant made = process.next().time();
            assertThat(made.isBefore(end) || !made.isBefore(unseenEnd))
                    .as("made at " + made)
                    .isTrue();
        }

        assertThat(row(0).fence()).isEqualTo(2);
        assertThat(process.kinds()).contains(Kind.LEASE_LOST).doesNotContain(Kind.STOPPED);
    }

    @Test
    void theRowOfAnUnansweredRenewalIsTakenAgainBeforeItsLeaseIsOver() {
        workers = 1;
        freshRows();
        Process process = process();
        process.run(100, ofMinutes(1));
        long end = row(0).horizon();

        process.onNext("extend", () -> {
            throw new StoreUnavailableException("no answer");
        });
        while (row(0).horizon() == end) {
            time.pass(ofMillis(10));
        }
        time.pass(ofSeconds(5)); // the lease that was renewed unseen would last for half a minute

        assertThat(row(0).fence()).isEqualTo(2);
        assertThat(process.kinds()).containsOnlyOnce(Kind.LEASE_LOST).doesNotContain(Kind.STOPPED);
    }

    @Test
    void aRenewalThatTakesEffectLateIsNotTakenForACopy() {
        workers = 1;
        freshRows();
        Process process = process();
        process.next();
        time.pass(ofMinutes(1));
        process.nextExtensionIsLate = true;
        while (process.nextExtensionIsLate) {
            time.pass(ofMillis(10));
        }
        process.onNext("look", () -> assertThat(process.lateExtension.get()).isTrue());

        process.run(100, ofMinutes(5));

        assertThat(process.kinds()).contains(Kind.LEASE_LOST).doesNotContain(Kind.STOPPED);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 60_000})
    void aHorizonThatSomeoneElseRaisedStopsTheProcess(long by) {
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        time.pass(ofMinutes(1));

        database.edit(workerId, row -> row.withHorizon(row.horizon() + by));
        time.pass(RENEW.multipliedBy(2));

        assertThat(process.refused().code()).isEqualTo(ErrorCode.LEASE_COPIED);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED, Kind.STOPPED);
        assertThat(process.worker.window().highest()).isEqualTo(Window.SEALED);
        int sentSoFar = process.statements.size();
        time.pass(ofMinutes(5));
        assertThat(process.refused().code()).isEqualTo(ErrorCode.LEASE_COPIED);
        assertThat(process.statements).hasSize(sentSoFar);
    }

    /** Lets each read return an earlier state of the row, as a lagging replica does. */
    private void looksAreStale(Process process, WorkerRow old) {
        process.before("look", () -> {
            WorkerRow current = row(old.workerId());
            database.set(old.workerId(), old);
            process.onNext("look", () -> database.set(old.workerId(), current));
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProcessThatReadsItsRowOutOfDateKeepsItsWindowAndLooksAgain(boolean sinceItsLease) {
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        time.pass(ofMinutes(1));
        WorkerRow old = row(workerId);
        time.pass(ofSeconds(20));

        looksAreStale(
                process,
                sinceItsLease
                        ? old
                        : new WorkerRow(workerId, layout.toString(), 0, null, NEVER, 0, 0, database.server()));
        int before = process.statements.size();
        process.run(100, ofMinutes(1));
        assertThat(process.times("look")).hasSizeBetween(50, 90);
        assertThat(process.statements.size() - before).isLessThan(200);
        process.before("look", () -> {});
        process.run(100, ofMinutes(5));

        assertThat(process.workerId()).isEqualTo(workerId);
        assertThat(row(workerId).fence()).isEqualTo(1);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED);
    }

    // ---- rows that somebody set back ----

    @Test
    void aRowThatIsRestoredUnderItsOwnLeaseIsRaisedAgain() {
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        time.pass(ofMinutes(1));
        WorkerRow backup = row(workerId);
        process.run(100, ofSeconds(30));
        long horizon = row(workerId).horizon();

        database.set(workerId, backup);
        process.run(100, RENEW.plusSeconds(2));

        assertThat(row(workerId).horizon()).isGreaterThanOrEqualTo(horizon);
        process.run(100, ofMinutes(4));
        assertThat(process.workerId()).isEqualTo(workerId);
        assertThat(row(workerId).fence()).isEqualTo(1);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void afterARestoreTicksAreGrantedTwiceForOneRenewalAtMost(boolean anotherLeasesTheRow) {
        workers = 2;
        freshRows();
        List<WorkerRow> backup = database.rows();
        Process process = process();
        int workerId = process.workerId();
        process.run(100, ofMinutes(1));
        backup.forEach(row -> database.set(row.workerId(), row));
        takenByAnother(1 - workerId);
        Process other = process();
        if (anotherLeasesTheRow) {
            assertThat(other.workerId()).isEqualTo(workerId);
        }

        process.run(100, RENEW.multipliedBy(11).dividedBy(10).plusMillis(500));

        assertThat(process.events)
                .filteredOn(IdgenEvent.LeaseLost.class::isInstance)
                .extracting(event -> ((IdgenEvent.LeaseLost) event).reason())
                .containsExactly(IdgenEvent.LeaseLost.Reason.SET_BACK);
        assertThat(database.rows()).allMatch(row -> row.generation() == 1);
        time.pass(RENEW.multipliedBy(2));
        long lost = other.kinds().stream().filter(Kind.LEASE_LOST::equals).count();
        assertThat(lost).isEqualTo(anotherLeasesTheRow ? 1 : 0);
        SnowflakeParts own = process.next();
        SnowflakeParts others = other.next();
        assertThat(own.worker()).isNotEqualTo(others.worker());
        assertThat(Duration.between(now(), own.time())).isGreaterThan(WINDOW.minus(RENEW.multipliedBy(4)));
    }

    @Test
    void aProcessThatLostItsRowAndFindsHealedRowsDiscardsItsWindow() {
        workers = 1;
        freshRows();
        Process process = process();
        process.run(100, ofMinutes(1));
        takenByAnother(0);
        process.run(100, ofSeconds(20));
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED, Kind.LEASE_LOST);

        database.edit(
                0,
                row -> row.changed(row.server(), row.grantedFrom())
                        .heldBy(null, NEVER)
                        .withHorizon(
                                database.nowMillis() + WINDOW.plusSeconds(6).toMillis())
                        .withGeneration(1));
        long healed = row(0).horizon();

        time.pass(ofSeconds(2));
        assertThat(process.next().time()).isAfterOrEqualTo(Instant.ofEpochMilli(healed));
    }

    // ---- copies of a process ----

    @Test
    void aCopyThatRenewsBetweenALookAndTheRenewalAfterItIsNoticed() {
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        time.pass(ofMinutes(1));

        process.onNext("look", () -> database.edit(workerId, row -> row.withHorizon(row.horizon() + 1)));
        time.pass(RENEW.multipliedBy(2));

        assertThat(process.refused().code()).isEqualTo(ErrorCode.LEASE_COPIED);
        assertThat(process.kinds()).containsExactly(Kind.LEASE_ACQUIRED, Kind.STOPPED);
    }

    @Test
    void ofACopyAndItsOriginalOnlyOneGoesOn() {
        workers = 1;
        keepHorizon = true;
        freshRows();
        Process original = process();
        original.next();
        time.pass(ofMinutes(1));
        Process copy = process();
        Copies.copy(original.worker, copy.worker, layout, 500);

        time.pass(ofMinutes(1));

        List<Process> stopped = List.of(original, copy).stream()
                .filter(each -> each.kinds().contains(Kind.STOPPED))
                .toList();
        assertThat(stopped).hasSize(1);
        assertThat(stopped.get(0).refused().code()).isEqualTo(ErrorCode.LEASE_COPIED);
        (stopped.get(0) == copy ? original : copy).next();
    }

    // ---- no free row ----

    @Test
    void afterTheTimeoutTheMessageNamesTheHoldersOfAllWorkerIds() {
        workers = 2;
        freshRows();
        takenByAnother(0);
        takenByAnother(1);
        Process process = process();

        IdGenerationException refusal = process.refused();

        assertThat(refusal.code()).isEqualTo(ErrorCode.WORKER_IDS_TAKEN);
        assertThat(refusal)
                .hasMessageContaining("all 2 worker ids")
                .hasMessageContaining("worker id 0, by another until");
        assertThat(time.elapsed()).isBetween(FIRST_ID, FIRST_ID.plusMillis(10));
    }

    @Test
    void whileAllAreTakenTheStoreIsAskedAboutOnceASecondAndNotAfterTheLastCaller() {
        freshRows();
        for (int workerId = 0; workerId < workers; workerId++) {
            takenByAnother(workerId);
        }
        Process process = process();

        process.refused();
        assertThat(process.times("candidates")).hasSizeBetween(27, 35);
        time.pass(ofSeconds(10));
        int sentSoFar = process.statements.size();
        time.pass(ofMinutes(5));

        assertThat(process.statements).hasSize(sentSoFar);
    }

    @Test
    void theTypeOfAnExceptionAndNotItsCodeMakesAnOutage() {
        Process process = process();
        process.failure = new IdGenerationException(ErrorCode.DATABASE_FAILED, "the code of an outage");

        assertThat(process.refused())
                .isNotInstanceOf(IdUnavailableException.class)
                .hasCause(process.failure);
    }

    @Test
    void anErrorOfAStoreIsAnOutageAfterWhichTheLeaseIsRenewed() {
        freshRows();
        Process process = process();
        process.next();
        process.before("any", () -> {
            throw new StackOverflowError("a driver's bug");
        });
        time.pass(RENEW.multipliedBy(2));
        assertThat(process.kinds()).containsOnlyOnce(Kind.OUTAGE_BEGAN).doesNotContain(Kind.OUTAGE_ENDED);

        process.before("any", () -> {});
        time.pass(ofMinutes(1));
        assertThat(process.kinds()).contains(Kind.OUTAGE_ENDED).doesNotContain(Kind.LEASE_LOST);
        process.next();
    }

    @Test
    void aRefusedStoreIsNotAskedAgainUntilSomebodyNeedsIt() {
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");
        process.refused();

        time.pass(ofMinutes(5));

        assertThat(process.statements).hasSize(1);
    }

    @Test
    void aWaitingProcessLeasesAReleasedWorkerId() {
        workers = 1;
        freshRows();
        Process holder = process();
        holder.next();
        time.after(ofSeconds(8).toNanos(), holder::close);

        Process process = process();
        process.next();

        assertThat(time.elapsed()).isBetween(ofSeconds(8), ofSeconds(10));
    }

    @Test
    void horizonsTooFarAheadAreRefused() {
        freshRows();
        database.stepClock(-ofMinutes(60).toMillis());
        for (int workerId = 0; workerId < workers; workerId++) {
            set(workerId, 1, null, NEVER, database.nowMillis() + ofMinutes(60).toMillis());
        }
        Process process = process();

        IdGenerationException refusal = process.refused();

        assertThat(refusal.code()).isEqualTo(ErrorCode.HORIZON_FAR);
        assertThat(time.elapsed()).isLessThan(ofSeconds(1));
    }

    @Test
    void aHorizonWithinAWindowIsUsedAtOnceAheadOfTheTime() {
        workers = 1;
        set(0, 1, null, NEVER, database.nowMillis() + ofMinutes(2).toMillis());
        Process process = process();

        assertThat(lag(process.next())).isBetween(ofSeconds(-121), ofSeconds(-119));
        process.run(1000, ofMinutes(3));

        assertThat(lag(process.next())).isLessThan(ofSeconds(1));
    }

    @Test
    void aRefusalFailsCallsImmediatelyAndACallAfterTheBackOffRetries() {
        freshRows();
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");

        assertThat(process.refused().code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(process.refused().code()).isEqualTo(ErrorCode.TABLE_MISSING);
        assertThat(process.statements).hasSize(1);
        assertThat(time.elapsed()).isZero();

        process.works();
        time.pass(ofMillis(50));
        process.next();
    }

    @Test
    void whoAsksAgainAndAgainFor10SecondsAfterARefusalCauses8Transactions() {
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");

        while (time.elapsed().compareTo(ofSeconds(10)) < 0) {
            assertThat(process.refused().code()).isEqualTo(ErrorCode.TABLE_MISSING);
            time.pass(ofMillis(1));
        }

        assertThat(process.statements).hasSize(8);
    }

    @Test
    void refusalsAreLoggedAtMostOnceInTenSeconds() {
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");
        String line = "WARNING test: leasing a worker id was refused: " + ErrorCode.TABLE_MISSING + ": no table";

        LOG.setLevel(Level.WARNING);
        try (LogLines log = new LogLines(LeaseKeeper.class)) {
            for (int millis = 0; millis < 9_999; millis++) {
                process.refused();
                time.pass(ofMillis(1));
            }
            assertThat(log.lines()).containsExactly(line);

            for (int millis = 0; millis < 10_000; millis++) {
                process.refused();
                time.pass(ofMillis(1));
            }
            assertThat(log.lines()).containsExactly(line, line);
        } finally {
            LOG.setLevel(Level.OFF);
        }
    }

    @Test
    void whatHasBeenMendedAfterManyRefusalsIsNoticedWithin5Seconds() {
        freshRows();
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");
        for (int i = 0; i < 30; i++) {
            process.refused();
            time.pass(ofSeconds(5));
        }
        process.refused();

        process.works();
        time.pass(ofMillis(4999));
        process.refused();
        time.pass(ofMillis(1));

        process.next();
    }

    @Test
    void eachCallerGetsAnExceptionWithItsOwnStackAndTheStoresAsItsCause() {
        Process process = process();
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");

        IdGenerationException one = process.refused();
        IdGenerationException other = assertThrows(IdGenerationException.class, process.ids::warmUp);

        assertThat(one).isNotSameAs(other);
        assertThat(List.of(one, other)).allSatisfy(e -> {
            assertThat(e).isInstanceOf(AllocationException.class).hasCause(process.failure);
            assertThat(e).hasMessage("IDGEN-403: no table");
        });
        assertThat(one.getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("nextId", "eachCallerGetsAnExceptionWithItsOwnStackAndTheStoresAsItsCause");
        assertThat(other.getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("warmUp", "eachCallerGetsAnExceptionWithItsOwnStackAndTheStoresAsItsCause");
    }

    @Test
    void exceptionsAndEventsNameTheNamespace() {
        workers = 1;
        freshRows();
        takenByAnother(0);
        Process process = process();

        IdUnavailableException taken = (IdUnavailableException) process.refused();
        process.fails();
        time.pass(ofSeconds(10));
        IdUnavailableException failing = (IdUnavailableException) process.refused();

        assertThat(List.of(taken.source(), failing.source())).containsOnly("test");
        assertThat(process.events).isNotEmpty().extracting(IdgenEvent::source).containsOnly("test");
        assertThat(taken).hasMessageContaining("give each process its own worker id");
        process.ids.close();
        assertThat(process.refused()).hasMessage("IDGEN-107: the snowflake generator of namespace 'test' is closed");
    }

    @Test
    void aFailureSaysWhetherThereAreIdsMeanwhile() {
        freshRows();
        Process process = process();
        process.fails();
        process.refused();
        process.works();
        time.pass(ofSeconds(20));
        process.next();
        process.fails();
        time.pass(ofSeconds(20));

        assertThat(process.events)
                .filteredOn(event -> event.kind() == Kind.OUTAGE_BEGAN)
                .extracting(IdgenEvent::text)
                .containsExactly(
                        "leasing a worker id failed and is tried again; there are no ids until it succeeds: IDGEN-401:"
                                + " connection reset",
                        "leasing a worker id failed and is tried again; remaining ids are still served:"
                                + " IDGEN-401: connection reset");
    }

    @Test
    void aCallThatWaitsSleepsUntilItsDeadlineAndDoesNotPoll() {
        Process process = process();
        process.fails();
        int parks = time.parks();

        process.refused();

        assertThat(time.elapsed()).isEqualTo(FIRST_ID);
        assertThat(time.parks() - parks).isEqualTo(1);
    }

    @Test
    void aCallThatWaitsIsWokenByTheGrant() {
        freshRows();
        Process process = process();
        process.fails();
        time.after(ofSeconds(10).toNanos(), process::works);
        int parks = time.parks();

        process.next();

        assertThat(time.elapsed()).isEqualTo(process.times("acquire").get(0));
        assertThat(time.parks() - parks).isEqualTo(1);
    }

    @Test
    void aStoreThatRefusesIsAsSilentAsOneThatFailsSoWhatIsInHandIsMadeToLast() {
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        int parks = time.parks();

        process.fails();
        process.run(1000, ofSeconds(15));
        process.failure = new AllocationException(ErrorCode.TABLE_MISSING, "no table");
        process.run(1000, ofMinutes(30));
        process.works();
        process.run(1000, ofSeconds(30));

        assertThat(time.parks()).isEqualTo(parks);
        assertThat(process.kinds())
                .containsExactly(
                        Kind.LEASE_ACQUIRED, Kind.OUTAGE_BEGAN, Kind.OUTAGE_ENDED, Kind.CLOCK_HELD, Kind.CLOCK_RESUMED);
    }

    // ---- another server ----

    @Test
    void afterAFailoverTheRowIsAdvancedAndIdsGoOnWithoutAPause() {
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        int parks = time.parks();
        long highest =
                database.rows().stream().mapToLong(WorkerRow::horizon).max().orElseThrow();

        database.failOver(3, -4000);
        process.run(1000, ofMinutes(5));

        assertThat(time.parks()).isEqualTo(parks);
        assertThat(process.kinds())
                .filteredOn(kind -> kind != Kind.CLOCK_HELD && kind != Kind.CLOCK_RESUMED)
                .containsExactly(Kind.LEASE_ACQUIRED, Kind.LEASE_LOST, Kind.LEASE_ACQUIRED);
        assertThat(row(process.workerId()).horizon()).isGreaterThan(highest);
        assertThat(process.statements).extracting(Process.Statement::name).contains("advance");
    }

    @Test
    void aProcessThatStartsAfterAFailoverLogsOnceWhatItWaitsForAndUntilWhen() {
        freshRows();
        database.failOver(3, -4000);
        LOG.setLevel(Level.INFO);
        try (LogLines log = new LogLines(LeaseKeeper.class)) {
            process().next();

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("INFO test: the first id comes at 20")
                    .containsPattern("Z, in [567] s: all free worker ids are new, or another server granted them, so")
                    .endsWith("; no action is needed");
        } finally {
            LOG.setLevel(Level.OFF);
        }
    }

    @Test
    void afterAFailoverManyProcessesHaveRowsAgainBeforeTheirWindowsEnd() {
        workers = 32;
        freshRows();
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            all.add(process());
            all.get(i).next();
        }
        time.pass(ofMinutes(1));

        database.failOver(3, 1000);
        time.pass(LEASE.plusSeconds(40));

        assertThat(all).allSatisfy(each -> assertThat(each.kinds()).endsWith(Kind.LEASE_ACQUIRED));
        assertThat(database.rows()).allSatisfy(row -> assertThat(row.server()).isEqualTo(database.server()));
    }

    /** Simulates two nodes of a cluster with different identities, behind a proxy that alternates between them. */
    private static void nodesTakeTurns(SimulatedDatabase database, Process process, int first) {
        int[] turns = {first};
        process.before("candidates", () -> database.answersAs(turns[0]++ % 2));
        process.before("look", () -> database.answersAs(turns[0]++ % 2));
    }

    private Duration highestHorizonAhead() {
        long highest =
                database.rows().stream().mapToLong(WorkerRow::horizon).max().orElseThrow();
        return ofMillis(highest - database.nowMillis());
    }

    @Test
    void twoProcessesOfTwoServersHaveALeaseSoonAndHorizonsStayBounded() {
        workers = 2;
        freshRows();
        List<Process> all = List.of(process(), process());
        all.get(0).before("any", () -> database.answersAs(0));
        all.get(1).before("any", () -> database.answersAs(1));

        for (int i = 0; i < 100; i++) {
            all.forEach(Process::next);
            time.pass(ofSeconds(10));
            assertThat(highestHorizonAhead())
                    .isLessThan(WINDOW.plus(LeaseStore.SERVER_SKEW).plusSeconds(2));
        }
    }

    @Test
    void aClusterWithAnIdentityForEachNodeRaisesNoHorizonWithoutEnd() {
        freshRows();
        List<Process> all = List.of(process(), process(), process());
        all.forEach(process -> nodesTakeTurns(database, process, all.indexOf(process)));

        for (int i = 0; i < 2000; i++) {
            try {
                all.get(i % 3).ids.warmUp();
            } catch (IdUnavailableException e) {
                // such a cluster needs one identity for all of its nodes
            }
            time.pass(ofSeconds(1));
            assertThat(highestHorizonAhead())
                    .isLessThan(WINDOW.plus(LeaseStore.SERVER_SKEW).plusSeconds(2));
        }
    }

    // ---- the layout's end ----

    @Test
    void theLastIdOfTheLayoutIsMadeAndThenNoMore() {
        layout = endingIn(ofMinutes(2));
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        time.pass(ofMinutes(2).minusMillis(5).minus(time.elapsed()));

        while (process.last < layout.largestId(workerId)) {
            process.next();
        }

        assertThat(process.refused().code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
        time.pass(ofMinutes(1));
        assertThat(process.refused().code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
    }

    @Test
    void aProcessThatStartsAfterTheLayoutsEndIsRefusedAtOnce() {
        layout = endingIn(ofMinutes(2));
        freshRows();
        time.pass(ofMinutes(3));
        Process process = process();

        assertThat(process.refused().code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
        assertThat(time.elapsed()).isLessThan(ofMinutes(3).plusSeconds(1));
        assertThat(process.kinds()).isEmpty();
    }

    @Test
    void aProcessThatStartsWhenAllTicksAreGrantedIsRefusedAtOnce() {
        workers = 1;
        layout = endingIn(ofMinutes(2));
        freshRows();
        Process crashed = process();
        crashed.next();
        time.pass(ofMinutes(1));
        crashed.thread.kill();
        time.pass(LEASE.plusSeconds(1));
        Process process = process();

        assertThat(process.refused().code()).isEqualTo(ErrorCode.LAYOUT_EXHAUSTED);
    }

    private static SnowflakeLayout endingIn(Duration left) {
        return SnowflakeLayout.IDGEN.withEpoch(
                SimulatedDatabase.START.plus(left).minusMillis(1L << 41));
    }

    // ---- the end ----

    @Test
    void closingReleasesTheRowWithAllUnusedTicks() {
        freshRows();
        Process process = process();
        process.run(1000, ofMinutes(1));
        SnowflakeParts last = process.next();

        process.close();

        WorkerRow row = row(last.worker());
        assertThat(row.token()).isNull();
        assertThat(row.leaseUntil()).isZero();
        assertThat(row.horizon()).isEqualTo(last.time().toEpochMilli() + 1);
        assertThat(process.worker.window().highest()).isEqualTo(Window.SEALED); // for calls under way
        assertThat(process.refused().code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
        assertThat(process.kinds()).endsWith(Kind.LEASE_RELEASED);
    }

    @Test
    void whereMemoryMayBeCopiedTheRestOfTheWindowIsLeft() {
        keepHorizon = true;
        freshRows();
        Process process = process();
        int workerId = process.workerId();
        long horizon = row(workerId).horizon();

        process.close();

        assertThat(row(workerId).token()).isNull();
        assertThat(row(workerId).horizon()).isEqualTo(horizon);
    }

    @Test
    void aGrantThatIsAnsweredAfterClosingIsReleasedUnused() {
        workers = 1;
        freshRows();
        Process process = process();
        long before = database.nowMillis();
        process.onNext("acquire", process::close);

        assertThat(process.refused().code()).isEqualTo(ErrorCode.SOURCE_CLOSED);
        time.pass(ofSeconds(1));

        assertThat(process.worker.window().highest()).isEqualTo(Window.SEALED);
        assertThat(row(0).token()).isNull();
        assertThat(row(0).horizon()).isBetween(before, before + 10);
    }

    @Test
    void aLostLeaseIsNotReleased() {
        workers = 1;
        freshRows();
        Process process = process();
        process.next();
        takenByAnother(0);
        time.pass(RENEW.multipliedBy(2));

        process.close();

        assertThat(row(0).token()).isEqualTo("another");
        assertThat(process.times("release")).isEmpty();
    }

    @Test
    void whoIsInterruptedWhileItWaitsKeepsTheInterrupt() {
        Process process = process();
        process.fails();
        Thread.currentThread().interrupt();

        IdGenerationException refusal = process.refused();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(refusal.code()).isEqualTo(ErrorCode.INTERRUPTED);
    }

    @Test
    void whoIsInterruptedWhileABurstWaitsForItsTickKeepsTheInterrupt() {
        freshRows();
        Process process = process();
        process.next();
        Thread.currentThread().interrupt();

        process.ids.nextIds(1_000_000); // a batch that is served by running ahead needs no wait
        process.ids.nextIds(1_000_000);
        IdGenerationException refusal = assertThrows(IdGenerationException.class, () -> process.ids.nextIds(1_000_000));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(refusal.code()).isEqualTo(ErrorCode.INTERRUPTED);
    }

    @Test
    void anInterruptDoesNotMatterWhileThereAreIds() {
        freshRows();
        Process process = process();
        process.next();
        Thread.currentThread().interrupt();

        process.next();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void closingAGeneratorWithItsOwnThreadReleasesTheRow() {
        workers = 1;
        freshRows();
        Snowflake ids = Snowflake.builder()
                .leasedFrom(new SimulatedStore(database, SimulatedStore.Link.DIRECT, Flaw.NONE))
                .workerId(0)
                .datacenterId(0)
                .build();

        long id = ids.nextId();
        ids.close();

        assertThat(row(0).token()).isNull();
        assertThat(row(0).horizon()).isEqualTo(layout.parse(id).time().toEpochMilli() + 1);
        assertThat(assertThrows(IdGenerationException.class, ids::nextId).code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
    }
}
