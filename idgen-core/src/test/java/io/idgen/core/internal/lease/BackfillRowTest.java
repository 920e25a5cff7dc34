package io.idgen.core.internal.lease;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.internal.window.LayoutTime;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A backfill whose statements are not answered, or whose row is changed by others. */
class BackfillRowTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.IDGEN;
    private static final Duration LEASE = ofSeconds(30);
    private static final int WORKER_ID = 7;
    private static final Terms TERMS = new Terms("test", LAYOUT, WORKER_ID, 1, LEASE, ofSeconds(180));
    private static final TickScale SCALE = LayoutTime.ticks(LAYOUT);

    private static final Instant ROWS_FROM = SimulatedDatabase.START.minus(ofHours(6));

    /** What happens to the next statement that reserves the row. */
    private enum Fault {
        NONE,
        BEFORE_THE_STATEMENT,
        BEFORE_THE_ANSWER
    }

    private final VirtualTime time = new VirtualTime();
    private final SimulatedDatabase database = new SimulatedDatabase(time);
    private Fault next = Fault.NONE;
    private int statements;

    private BackfillRow backfill() {
        SimulatedStore.Link link = new SimulatedStore.Link() {
            @Override
            public <T> T call(String statement, Supplier<T> work) {
                statements++;
                Fault fault = statement.equals("reserve") ? next : Fault.NONE;
                next = Fault.NONE;
                if (fault == Fault.BEFORE_THE_STATEMENT) {
                    throw new StoreUnavailableException("connection reset");
                }
                T answer = work.get();
                if (fault == Fault.BEFORE_THE_ANSWER) {
                    throw new StoreUnavailableException("no answer");
                }
                return answer;
            }
        };
        SimulatedStore store = new SimulatedStore(database, link, SimulatedStore.Flaw.NONE);
        store.candidates(TERMS, null);
        database.edit(
                WORKER_ID, row -> row.changed(database.server(), row.horizon()).withHorizon(ROWS_FROM.toEpochMilli()));
        return new BackfillRow(store, TERMS, time::nanoTime);
    }

    /** Returns a backfill that got no answer when it reserved the tick of the tenth minute. */
    private BackfillRow backfillWithAnUnansweredStatement(Fault fault) {
        BackfillRow row = backfill();
        next = fault;
        assertThrows(StoreUnavailableException.class, () -> row.take(tickAt(ofMinutes(10))));
        return row;
    }

    /** Returns the tick of a time after the first row. */
    private static long tickAt(Duration sinceFirst) {
        return SCALE.tickFrom(ROWS_FROM.plus(sinceFirst).toEpochMilli());
    }

    private Instant horizon() {
        return Instant.ofEpochMilli(database.row(WORKER_ID).horizon());
    }

    private static void assertLost(BackfillRow row, Duration tick, String reason) {
        IdGenerationException e = assertThrows(IdGenerationException.class, () -> row.take(tickAt(tick)));
        assertThat(e.code()).isEqualTo(ErrorCode.RESERVATION_TAKEN);
        assertThat(e).hasMessageContaining("this backfill has lost worker id 7").hasMessageContaining(reason);
    }

    @Test
    void oneStatementReservesTheTicksOfAnHour() {
        BackfillRow row = backfill();
        row.take(tickAt(ofMinutes(10)));
        int before = statements;

        assertThat(horizon()).isEqualTo(SCALE.instantOf(tickAt(ofMinutes(70)) + 1));
        row.take(tickAt(ofMinutes(70)));
        assertThat(statements).isEqualTo(before);

        row.take(tickAt(ofMinutes(70)) + 1);
        assertThat(statements).isEqualTo(before + 1);
        assertThat(horizon()).isEqualTo(SCALE.instantOf(tickAt(ofMinutes(130)) + 2));
    }

    @Test
    void aReservationOlderThanAThirdOfTheLeaseIsRenewed() {
        BackfillRow row = backfill();
        row.take(tickAt(ofMinutes(10)));
        int before = statements;

        time.pass(LEASE.dividedBy(3).minusNanos(1));
        row.take(tickAt(ofMinutes(20)));
        assertThat(statements).isEqualTo(before);

        time.pass(Duration.ofNanos(1));
        row.take(tickAt(ofMinutes(20)));
        row.take(tickAt(ofMinutes(20)));
        assertThat(statements).isEqualTo(before + 1);
    }

    @Test
    void aStatementThatTookEffectWithoutAnAnswerIsTheBackfillsOwn() {
        BackfillRow row = backfillWithAnUnansweredStatement(Fault.BEFORE_THE_ANSWER);

        row.take(tickAt(ofMinutes(10)));
        row.take(tickAt(ofMinutes(120)));

        assertThat(horizon()).isAfter(ROWS_FROM.plus(ofMinutes(120)));
    }

    @Test
    void aStatementThatTookNoEffectIsRepeated() {
        BackfillRow row = backfillWithAnUnansweredStatement(Fault.BEFORE_THE_STATEMENT);

        row.take(tickAt(ofMinutes(10)));

        assertThat(horizon()).isAfter(ROWS_FROM.plus(ofMinutes(10)));
    }

    /** The horizon that the unanswered statement wrote may be too low for the tick that is wanted now. */
    @Test
    void afterAnUnansweredStatementATickAboveItsHorizonIsReservedToo() {
        BackfillRow row = backfillWithAnUnansweredStatement(Fault.BEFORE_THE_ANSWER);

        row.take(tickAt(ofMinutes(200)));

        assertThat(horizon()).isAfter(ROWS_FROM.plus(ofMinutes(200)));
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void theRowOfAnotherBackfillIsNotItsOwnAfterAnUnansweredStatement(Fault fault) {
        BackfillRow first = backfillWithAnUnansweredStatement(fault);
        time.pass(LEASE.plusMillis(1));
        BackfillRow second = backfill();

        assertLost(first, ofMinutes(10), "its row was changed by process backfill-");
        second.take(tickAt(ofMinutes(10)));
    }

    private void assertLostAfter(UnaryOperator<WorkerRow> change) {
        BackfillRow row = backfill();
        database.edit(WORKER_ID, change);

        assertLost(row, ofMinutes(10), "its row was changed by process ");
        database.set(WORKER_ID, null);
    }

    private static WorkerRow changed(WorkerRow row) {
        return row.changed(row.server(), row.horizon());
    }

    @Test
    void aRowThatChangedAlthoughEachStatementWasAnsweredIsLost() {
        assertLostAfter(BackfillRowTest::changed);
        assertLostAfter(row -> row.withHorizon(row.horizon() + 1));
    }

    @Test
    void aRowThatChangedAfterAnUnansweredStatementWasSettledIsLost() {
        BackfillRow row = backfillWithAnUnansweredStatement(Fault.BEFORE_THE_ANSWER);
        row.take(tickAt(ofMinutes(10)));

        database.edit(WORKER_ID, BackfillRowTest::changed);

        assertLost(row, ofMinutes(120), "its row was changed by process backfill-");
    }

    @Test
    void anUnansweredStatementChangesTheRowOnlyOnce() {
        BackfillRow row = backfillWithAnUnansweredStatement(Fault.BEFORE_THE_ANSWER);

        database.edit(WORKER_ID, BackfillRowTest::changed);

        assertLost(row, ofMinutes(10), "its row was changed by process backfill-");
    }

    @Test
    void aRowThatIsNoLongerReservedIsLostAfterAnUnansweredStatementToo() {
        BackfillRow row = backfillWithAnUnansweredStatement(Fault.BEFORE_THE_ANSWER);

        database.edit(WORKER_ID, found -> found.withLeaseUntil(database.nowMillis()));

        assertLost(row, ofMinutes(120), "its row was changed by process backfill-");
    }

    @Test
    void aRowThatIsGoneIsLost() {
        BackfillRow row = backfill();
        database.set(WORKER_ID, null);

        assertLost(row, ofMinutes(10), "its row is gone");
    }

    @Test
    void aBackfillCountsAsAliveToTheEndOfItsLease() {
        backfill();

        time.pass(LEASE);
        IdGenerationException e = assertThrows(IdGenerationException.class, this::backfill);
        assertThat(e.code()).isEqualTo(ErrorCode.RESERVATION_TAKEN);

        time.pass(Duration.ofMillis(1));
        backfill();
    }

    @Test
    void theHorizonIsAtMostAWindowAheadOfTheStoresTimeAndNoTickIsBeyond() {
        BackfillRow row = backfill();
        Duration now = Duration.between(ROWS_FROM, SimulatedDatabase.START);

        row.take(tickAt(now));

        assertThat(horizon()).isEqualTo(SimulatedDatabase.START.plus(TERMS.window()));
        row.take(tickAt(now.plus(TERMS.window())) - 1);
        assertThat(assertThrows(IllegalArgumentException.class, () -> row.take(tickAt(now.plus(TERMS.window())))))
                .hasMessageContaining("is in the future: the store's clock is at " + SimulatedDatabase.START)
                .hasMessageContaining("correct this host's clock");
    }
}
