package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.lease.BackfillRow;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import io.idgen.test.InMemoryLeaseStore;
import io.idgen.test.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SnowflakeBackfillTest {
    private static final SnowflakeLayout IDGEN = SnowflakeLayout.IDGEN;
    private static final Instant THEN = Instant.parse("2025-03-01T12:00:00.123Z");

    private static SnowflakeBackfill.Builder backfill(SnowflakeLayout layout, int datacenterId, int workerId) {
        return SnowflakeBackfill.builder()
                .layout(layout)
                .datacenterId(datacenterId)
                .workerId(workerId);
    }

    private static SnowflakeBackfill begin(SnowflakeLayout layout, int datacenterId, int workerId) {
        return backfill(layout, datacenterId, workerId).open();
    }

    private static SnowflakeBackfill resume(SnowflakeLayout layout, int datacenterId, int workerId, long lastId) {
        return backfill(layout, datacenterId, workerId).after(lastId).open();
    }

    @Test
    void anIdContainsTheTimeOfItsRow() {
        try (SnowflakeBackfill backfill = begin(IDGEN, 31, 30)) {
            assertThat(IDGEN.parse(backfill.idAt(THEN))).isEqualTo(new SnowflakeParts(THEN, 31, 30, 0));
            assertThat(IDGEN.parse(backfill.idAt(THEN))).isEqualTo(new SnowflakeParts(THEN, 31, 30, 1));
            assertThat(IDGEN.parse(backfill.idAt(THEN.plusMillis(1))))
                    .isEqualTo(new SnowflakeParts(THEN.plusMillis(1), 31, 30, 0));
        }
    }

    @Test
    void rowsOutOfOrderAreRefused() {
        try (SnowflakeBackfill backfill = begin(IDGEN, 31, 30)) {
            backfill.idAt(THEN);

            assertThat(assertThrows(IllegalArgumentException.class, () -> backfill.idAt(THEN.minusMillis(1))))
                    .hasMessageContaining("sort the rows");
            assertThat(IDGEN.parse(backfill.idAt(THEN)).sequence()).isEqualTo(1);
        }
    }

    @Test
    void theFutureAndTheTimeBeforeTheEpochAreRefused() {
        try (SnowflakeBackfill backfill = begin(IDGEN, 31, 30)) {
            Instant future = Instant.now().plus(Duration.ofDays(1));
            assertThat(assertThrows(IllegalArgumentException.class, () -> backfill.idAt(future)))
                    .hasMessageContaining("in the future");
            assertThat(assertThrows(
                            IllegalArgumentException.class, () -> backfill.idAt(Instant.parse("2023-12-31T23:59:59Z"))))
                    .hasMessageContaining("outside the layout");
        }
    }

    @Test
    void aFullTickIsRefusedAndNotCarriedOutOf() {
        try (SnowflakeBackfill backfill = begin(IDGEN, 31, 30)) {
            for (int i = 0; i < 4096; i++) {
                assertThat(IDGEN.parse(backfill.idAt(THEN)).sequence()).isEqualTo(i);
            }

            assertThat(assertThrows(IdGenerationException.class, () -> backfill.idAt(THEN))
                            .code())
                    .isEqualTo(ErrorCode.TICK_USED_UP);
            assertThat(IDGEN.parse(backfill.idAt(THEN.plusMillis(1))).sequence())
                    .isZero();
        }
    }

    @Test
    void itIsTakenUpAgainAboveTheLastIdThatWasWritten() {
        long written;
        try (SnowflakeBackfill backfill = begin(IDGEN, 31, 30)) {
            backfill.idAt(THEN);
            written = backfill.idAt(THEN);
        }
        try (SnowflakeBackfill backfill = resume(IDGEN, 31, 30, written)) {
            assertThat(backfill.idAt(THEN)).isEqualTo(written + 1);
        }
        assertThat(assertThrows(IllegalArgumentException.class, () -> resume(IDGEN, 31, 29, written)))
                .hasMessageContaining("worker 30");
    }

    @Test
    void theReservedWorkerIdIsRefusedToALiveGeneratorAndToAnotherBackfill() {
        try (SnowflakeBackfill backfill = begin(IDGEN, 31, 30)) {
            Snowflake.Builder live = Snowflake.builder().datacenterId(31).workerId(30);

            assertThat(assertThrows(ConfigurationException.class, live::build).code())
                    .isEqualTo(ErrorCode.WORKER_ID_IN_USE);
            assertThat(assertThrows(ConfigurationException.class, () -> begin(IDGEN, 31, 30))
                            .code())
                    .isEqualTo(ErrorCode.WORKER_ID_IN_USE);
            assertThat(backfill.idAt(THEN)).isPositive();
        }
        begin(IDGEN, 31, 30).close();
    }

    @Test
    void aClosedBackfillGivesNothing() {
        SnowflakeBackfill backfill = begin(IDGEN, 31, 30);
        backfill.close();
        backfill.close();

        assertThat(assertThrows(IdGenerationException.class, () -> backfill.idAt(THEN))
                        .code())
                .isEqualTo(ErrorCode.SOURCE_CLOSED);
    }

    @Test
    void theFirstTickOfTheLayoutIsLeftOutAndTheSecondBeginsAtItsFirstId() {
        try (SnowflakeBackfill backfill = begin(IDGEN, 31, 30)) {
            assertThrows(IllegalArgumentException.class, () -> backfill.idAt(IDGEN.epoch()));
            assertThat(IDGEN.parse(backfill.idAt(IDGEN.epoch().plusMillis(1))))
                    .isEqualTo(new SnowflakeParts(IDGEN.epoch().plusMillis(1), 31, 30, 0));
        }
    }

    @Test
    void itIsTakenUpAgainAlsoWhereTheSequenceStandsAboveTheWorker() {
        SnowflakeLayout sonyflake = SnowflakeLayout.SONYFLAKE;
        long written;
        try (SnowflakeBackfill backfill = begin(sonyflake, 0, 65_535)) {
            backfill.idAt(THEN);
            written = backfill.idAt(THEN);
        }
        try (SnowflakeBackfill backfill = resume(sonyflake, 0, 65_535, written)) {
            assertThat(sonyflake.parse(backfill.idAt(THEN)).sequence()).isEqualTo(2);
        }
    }

    @Test
    void aMomentAfterTheEndOfTheLayoutIsRefused() {
        SnowflakeLayout ended = SnowflakeLayout.IDGEN.withEpoch(Instant.parse("1930-01-01T00:00:00Z"));
        Instant end = ended.end();
        try (SnowflakeBackfill backfill = begin(ended, 0, 23)) {
            assertThat(ended.parse(backfill.idAt(end)).time()).isEqualTo(end);
            assertThat(assertThrows(IllegalArgumentException.class, () -> backfill.idAt(end.plusMillis(1))))
                    .hasMessageContaining("is outside the layout");
        }
    }

    @Test
    void itIsNotTakenUpAgainFromAnIdOfAnotherDatacenterOrWorker() {
        SnowflakeLayout layout = SnowflakeLayout.IDGEN;
        long id = layout.compose(new SnowflakeParts(Instant.parse("2025-01-01T00:00:00Z"), 3, 24, 0));

        resume(layout, 3, 24, id).close();
        assertThrows(IllegalArgumentException.class, () -> resume(layout, 2, 24, id));
        assertThrows(IllegalArgumentException.class, () -> resume(layout, 3, 25, id));
    }

    // ---- with a lease store ----

    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryLeaseStore store = new InMemoryLeaseStore(clock);
    private final String namespace = UUID.randomUUID().toString();
    private final Terms terms = new Terms(namespace, IDGEN, 30, 1, Duration.ofSeconds(30), Duration.ofSeconds(180));

    private SnowflakeBackfill.Builder reserved() {
        return backfill(IDGEN, 0, 30).namespace(namespace).clock(clock).reservedIn(store);
    }

    /** Opens the row as another process would: the registry of this JVM does not know it. */
    private BackfillRow another() {
        return new BackfillRow(store, terms, System::nanoTime);
    }

    private static long tick(Instant moment) {
        return IDGEN.firstIdAt(moment) >>> 22;
    }

    @Test
    void noLeaseTakesTheWorkerIdOfABackfillNorAfterwards() {
        assertThat(store.candidates(terms, null).rows()).hasSize(1);
        try (SnowflakeBackfill backfill = reserved().open()) {
            assertThat(IDGEN.parse(backfill.idAt(THEN))).isEqualTo(new SnowflakeParts(THEN, 0, 30, 0));
            assertThat(store.candidates(terms, null).rows()).isEmpty();
            clock.advance(Duration.ofDays(1));
            assertThat(store.candidates(terms, null).rows()).isEmpty();
        }
        assertThat(store.candidates(terms, null).rows()).isEmpty();
    }

    @Test
    void aWorkerIdThatAProcessLeasesIsRefusedAndOneThatWasLeasedBeginsAboveItsIds() {
        Row row = store.candidates(terms, null).rows().get(0);
        long horizon = clock.millis() + 15_000;
        assertThat(store.acquire(terms, row, null, new Lease(30, row.fence() + 1, "process", horizon)))
                .isTrue();
        IdGenerationException e =
                assertThrows(IdGenerationException.class, () -> reserved().open());
        assertThat(e.code()).isEqualTo(ErrorCode.RESERVATION_TAKEN);
        assertThat(e)
                .hasMessageContaining("is leased by another process")
                .hasMessageContaining("idgen.worker.reserved");
        clock.advance(Duration.ofMinutes(1)); // its lease has expired, but it may still use its window

        try (SnowflakeBackfill backfill = reserved().open()) {
            assertThat(assertThrows(
                            IllegalArgumentException.class,
                            () -> backfill.idAt(Instant.ofEpochMilli(horizon).minusMillis(1))))
                    .hasMessageContaining("may have used worker id 30")
                    .hasMessageContaining("after(…)");
            assertThat(IDGEN.parse(backfill.idAt(Instant.ofEpochMilli(horizon))).sequence())
                    .isZero();
        }
    }

    @Test
    void aSecondBackfillIsRefusedWhileTheFirstIsAliveAndBeginsAboveItsIdsAfterwards() {
        try (SnowflakeBackfill backfill = reserved().open()) {
            backfill.idAt(THEN);
            assertThat(assertThrows(IdGenerationException.class, this::another).code())
                    .isEqualTo(ErrorCode.RESERVATION_TAKEN);
        }
        try (SnowflakeBackfill second = reserved().open()) {
            assertThat(assertThrows(IllegalArgumentException.class, () -> second.idAt(THEN)))
                    .hasMessageContaining("an earlier backfill may have used");
        }
        try (SnowflakeBackfill continued = reserved()
                .after(IDGEN.compose(new SnowflakeParts(THEN, 0, 30, 0)))
                .open()) {
            assertThat(IDGEN.parse(continued.idAt(THEN)).sequence()).isOne();
        }
    }

    @Test
    void aBackfillThatPausedAndWasTakenForDeadUsesNoTickOfTheSecondOne() {
        BackfillRow first = another();
        first.take(tick(THEN));
        clock.advance(Duration.ofMinutes(1));
        BackfillRow second = another();

        long shared = second.floorTick();

        assertThat(shared).isGreaterThan(tick(THEN));
        second.take(shared);
        first.take(shared - 1); // a tick that it has reserved; it has not yet noticed the second one
        IdGenerationException e = assertThrows(IdGenerationException.class, () -> first.take(shared));
        assertThat(e.code()).isEqualTo(ErrorCode.RESERVATION_TAKEN);
    }

    /** Returns how many ids repeat if a backfill pauses after its check, and another one continues above a given id. */
    private long repeatedAfterAPause(UnaryOperator<SnowflakeBackfill.Builder> second) {
        AtomicLong nanos = new AtomicLong();
        BackfillRow first = new BackfillRow(store, terms, nanos::get);
        first.take(tick(THEN));
        clock.advance(Duration.ofMinutes(1)); // paused: the id of THEN is not written yet

        long taken = IDGEN.compose(new SnowflakeParts(THEN, 0, 30, 0));
        try (SnowflakeBackfill continued = second.apply(reserved()).open()) {
            return continued.idAt(THEN) == taken ? 1 : 0;
        }
    }

    @Test
    void aBackfillThatWasNotClosedMayGoOnAndTheNextOneBeginsAboveItsTicksWhateverIsTheLastId() {
        clock.advance(Duration.ofDays(365));
        assertThat(store.candidates(terms, null).rows()).hasSize(1);
        long written = IDGEN.compose(new SnowflakeParts(THEN.minusSeconds(1), 0, 30, 0));

        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> repeatedAfterAPause(builder -> builder.after(written)));
        assertThat(e)
                .hasMessageContaining("an earlier backfill that was not closed may still use worker id 30")
                .hasMessageContaining("idgen repair unreserve 30");
        // the one that began after it was closed, but the first one may still go on
        try (SnowflakeBackfill next = reserved().after(written).open()) {
            assertThrows(IllegalArgumentException.class, () -> next.idAt(THEN));
        }
        try (SnowflakeBackfill next = reserved().after(written).open()) {
            Instant above = THEN.plus(Duration.ofHours(1)).plusMillis(1);
            assertThat(IDGEN.parse(next.idAt(above)).time()).isEqualTo(above);
        }
    }

    /** The control: a store that forgets who held the row, so that only the given id counts. */
    @Test
    void aBackfillThatBeginsAboveTheLastWrittenIdRepeatsAnIdOfOneThatPauses() {
        long written = IDGEN.compose(new SnowflakeParts(THEN.minusSeconds(1), 0, 30, 0));

        assertThat(repeatedAfterAPause(builder -> {
                    RowState seen = store.state(terms, 30).orElseThrow();
                    assertThat(store.reserve(terms, 30, seen, null, seen.horizonMillis()))
                            .isTrue();
                    return builder.after(written);
                }))
                .isOne();
    }

    /** Shows that the tests above can fail. */
    @Test
    void twoBackfillsWithoutAReservationRepeatIds() {
        try (SnowflakeBackfill first = backfill(IDGEN, 0, 30).namespace("one").open();
                SnowflakeBackfill second =
                        backfill(IDGEN, 0, 30).namespace("another").open()) {
            assertThat(second.idAt(THEN)).isEqualTo(first.idAt(THEN));
        }
    }

    @Test
    void afterAKilledProcessWithoutALeaseABackfillBeginsAboveAllThatItCanHaveIssued() {
        RowState seen = fresh();
        assertThat(store.reserve(terms, 30, seen, "fixed", clock.millis() + 500))
                .isTrue();
        clock.advance(Duration.ofMinutes(1));

        assertThat(another().floorTick()).isGreaterThan(tick(clock.instant()));
    }

    private RowState fresh() {
        assertThat(store.candidates(terms, null).rows()).hasSize(1);
        return store.state(terms, 30).orElseThrow();
    }

    @Test
    void onAnotherServerOnlyTheUserKnowsWhichIdsExist() {
        fresh();
        store.failOver();
        try (SnowflakeBackfill backfill = reserved().open()) {
            assertThrows(IllegalArgumentException.class, () -> backfill.idAt(THEN));
        }
        try (SnowflakeBackfill backfill = reserved().after(0).open()) {
            assertThat(IDGEN.parse(backfill.idAt(THEN)).time()).isEqualTo(THEN);
        }
    }

    @Test
    void aLongBackfillRenewsItsReservationAndStopsOnceAnotherProcessHasIt() {
        AtomicLong nanos = new AtomicLong();
        BackfillRow first = new BackfillRow(store, terms, nanos::get);
        first.take(tick(THEN));
        for (int i = 0; i < 10; i++) {
            clock.advance(Duration.ofSeconds(10));
            nanos.addAndGet(Duration.ofSeconds(10).toNanos());
            first.take(tick(THEN));
            assertThrows(IdGenerationException.class, this::another);
        }
        clock.advance(Duration.ofMinutes(1));
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        another();
        assertThat(assertThrows(IdGenerationException.class, () -> first.take(tick(THEN)))
                        .code())
                .isEqualTo(ErrorCode.RESERVATION_TAKEN);
    }
}
