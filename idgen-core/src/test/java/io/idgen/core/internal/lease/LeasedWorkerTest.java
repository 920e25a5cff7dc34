package io.idgen.core.internal.lease;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the behaviour of a lease in each situation, in virtual time. */
@Timeout(600)
@Quiet(LeaseKeeper.class)
class LeasedWorkerTest extends LeasedWorkerFixture {

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
}
