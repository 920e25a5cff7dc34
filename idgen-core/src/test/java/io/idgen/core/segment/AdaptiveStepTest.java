package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how the step follows the demand. The test sets the time. */
class AdaptiveStepTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private static AdaptiveStep step(int least) {
        return new AdaptiveStep(least, 10_000_000, Duration.ofSeconds(60));
    }

    /** A step of 6,000, which is right for 100 ids a second. */
    private static AdaptiveStep settled() {
        AdaptiveStep step = step(6_000);
        step.usedUp(6_000, 60 * SECOND);
        return step;
    }

    @Test
    void theFirstRefillFetchesTheConfiguredStep() {
        assertThat(step(1_000).wanted(NO_LIMIT)).isEqualTo(1_000);
    }

    @Test
    void aStepDoublesAtMostUntilItLastsAsLongAsTheReserve() {
        AdaptiveStep step = step(1_000); // ids are used at 100 per second

        step.usedUp(1_000, 10 * SECOND);
        assertThat(step.wanted(NO_LIMIT)).isEqualTo(2_000);
        step.usedUp(2_000, 20 * SECOND);
        assertThat(step.wanted(NO_LIMIT)).isEqualTo(4_000);
        step.usedUp(4_000, 40 * SECOND);
        assertThat(step.wanted(NO_LIMIT)).isBetween(5_999, 6_000);
    }

    @Test
    void aStepHalvesAtMostAndNeverShrinksBelowTheFirst() {
        AdaptiveStep step = step(100); // ids are used at 5 per second
        step.usedUp(100, 20 * SECOND);
        step.usedUp(200, 40 * SECOND);
        assertThat(step.wanted(NO_LIMIT)).isBetween(299, 300);

        step.usedUp(300, Long.MAX_VALUE);
        assertThat(step.wanted(NO_LIMIT)).isBetween(149, 150);
        step.usedUp(150, Long.MAX_VALUE);
        assertThat(step.wanted(NO_LIMIT)).isEqualTo(100);
    }

    @Test
    void theReserveLastsForTheSlowestRefillToo() {
        AdaptiveStep step = settled();
        step.answeredAfter(15 * SECOND);

        step.usedUp(6_000, 60 * SECOND);

        assertThat(step.wanted(NO_LIMIT)).isBetween(7_499, 7_500);
    }

    @Test
    void aSlowRefillFadesByATenthWithEachQuickOne() {
        AdaptiveStep step = settled();
        step.answeredAfter(20 * SECOND);
        step.answeredAfter(SECOND); // the longest refill time decays to 18 s
        step.usedUp(6_000, 60 * SECOND);
        assertThat(step.wanted(NO_LIMIT)).isBetween(7_799, 7_800);

        step.answeredAfter(19 * SECOND);
        step.usedUp(6_000, 60 * SECOND);
        assertThat(step.wanted(NO_LIMIT)).isBetween(7_899, 7_900);
    }

    @Test
    void aStepNeverGrowsAboveTheMost() {
        AdaptiveStep step = new AdaptiveStep(1_000, 1_500, Duration.ofSeconds(60));

        step.usedUp(1_000, SECOND);
        step.usedUp(1_500, SECOND);

        assertThat(step.wanted(NO_LIMIT)).isEqualTo(1_500);
    }

    @ParameterizedTest
    @CsvSource({
        "128000, 1280", // a hundredth is the step
        "99999, 999",
        "1000, 10",
        "999, 10", // the least step
        "0, 10",
        "-1, 10",
    })
    void closeToTheLimitAStepIsAHundredthOfTheRestButAtLeastTheLeast(long left, int wanted) {
        AdaptiveStep step = step(10);
        for (int i = 0; i < 7; i++) {
            step.usedUp(10, i % 2); // in no time
        }

        assertThat(step.wanted(left)).isEqualTo(wanted);
    }
}
