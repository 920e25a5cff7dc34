package io.idgen.cli.compare.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.measure.DuplicateCheck;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests the evaluation of an outage. */
class OutageOutcomeTest {

    private static OutageOutcome outcome(long given, double servedSeconds) {
        return new OutageOutcome(
                3, given, 600, 0, servedSeconds, 0, "", new DuplicateCheck.Duplicates(0, 0, List.of()));
    }

    @Test
    void aCallThatWaitsForTheWholeOutageHasGivenNothing() {
        assertThat(outcome(0, 0).neverCeased()).isFalse();
        assertThat(outcome(0, 3).neverCeased()).isFalse();
        assertThat(OutageOutcome.servedSeconds(3, 0, 100, OptionalLong.empty())).isZero();
    }

    @Test
    void callsThatWaitedAfterTheRestOfABlockHaveCeased() {
        assertThat(outcome(50, 3).neverCeased()).isFalse();
        assertThat(outcome(550, 3).neverCeased()).isTrue(); // some calls are late on a busy machine
    }

    @Test
    void aCallThatWaitsForTheEndOfTheOutageEndsTheAvailability() {
        long second = 1_000_000_000;

        assertThat(OutageOutcome.ceased(OptionalLong.empty(), 50, 600, second)).hasValue(second);
        assertThat(OutageOutcome.ceased(OptionalLong.empty(), 550, 600, second)).isEmpty();
        assertThat(OutageOutcome.ceased(OptionalLong.of(second), 550, 600, 2 * second))
                .hasValue(second);
    }

    @Test
    void idsThatCameAllTheTimeNeverCeased() {
        assertThat(outcome(600, 3).neverCeased()).isTrue();
        assertThat(OutageOutcome.servedSeconds(3, 600, 100, OptionalLong.empty()))
                .isEqualTo(3);
    }

    @Test
    void aStrategyThatNeverGaveAnIdWasNotAvailable() {
        assertThat(OutageOutcome.servedSeconds(3, 0, 100, OptionalLong.of(Long.MIN_VALUE)))
                .isZero();
        assertThat(OutageOutcome.servedSeconds(3, 5, 100, OptionalLong.of(Long.MIN_VALUE)))
                .isZero();
    }

    @Test
    void aStrategyIsAvailableUntilTheLastIdBeforeAFailure() {
        long second = 1_000_000_000;

        assertThat(OutageOutcome.servedSeconds(3, 200, 7 * second, OptionalLong.of(8 * second)))
                .isEqualTo(1);
    }
}
