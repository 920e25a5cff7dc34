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
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the behaviour of a lease in each situation, in virtual time. */
@Quiet(LeaseKeeper.class)
class LeasedWorkerTest extends LeasedWorkerFixture {

    // ---- the ordinary course ----

    @Test
    void theFirstIdIsOfTheStoresTime() {
        freshRows();
        database.stepClock(ofMinutes(60).toMillis());

        SnowflakeParts first = process().next();

        assertThat(lag(first)).isBetween(Duration.ZERO, ofMillis(10));
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
}
