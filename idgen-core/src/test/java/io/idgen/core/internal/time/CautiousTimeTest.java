package io.idgen.core.internal.time;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CautiousTimeTest {
    private final ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final CautiousTime cautious = new CautiousTime(time);

    private Instant believed() {
        return Instant.ofEpochMilli(cautious.millis());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 100, 3_000, 60_000, 86_400_000})
    void timeThatPassesIsBelievedHoweverSeldomItIsAskedFor(long millis) {
        for (int i = 0; i < 50; i++) {
            time.advance(ofMillis(millis));

            assertThat(believed()).isEqualTo(time.now());
        }
    }

    @Test
    void aLeapOfFiveSecondsIsBelievedAtOnce() {
        time.step(CautiousTime.LEAP);

        assertThat(believed()).isEqualTo(time.now());
    }

    @Test
    void aLeapOfAMillisecondMoreIsNot() {
        Instant before = believed();
        time.step(CautiousTime.LEAP.plusMillis(1));

        assertThat(believed()).isEqualTo(before);
    }

    @Test
    void aLeapIsBelievedWhenItHasLastedForTenSeconds() {
        Instant before = believed();
        time.step(ofHours(1));

        assertThat(believed()).isEqualTo(before);
        for (int second = 1; second < 10; second++) {
            time.advance(ofSeconds(1));
            assertThat(believed()).isEqualTo(before.plusSeconds(second));
        }
        time.advance(ofSeconds(1));
        assertThat(believed()).isEqualTo(before.plusSeconds(10).plus(ofHours(1)));
        time.advance(ofSeconds(1));
        assertThat(believed()).isEqualTo(time.now());
    }

    @Test
    void aLeapThatIsTakenBackInTimeLeavesNoTrace() {
        Instant before = believed();

        for (int i = 0; i < 5; i++) {
            time.step(ofHours(1));
            assertThat(believed()).isEqualTo(before.plusSeconds(9L * i));
            time.advance(ofSeconds(9));
            assertThat(believed()).isEqualTo(before.plusSeconds(9L * (i + 1)));
            time.step(ofHours(-1));
            assertThat(believed()).isEqualTo(time.now()).isEqualTo(before.plusSeconds(9L * (i + 1)));
        }
    }

    @Test
    void aStepBackIsPassedOnAndSoIsItsRepair() {
        time.advance(ofSeconds(1));
        for (Duration step : new Duration[] {ofMillis(-1), ofSeconds(-10), ofHours(-1), ofHours(1)}) {
            time.step(step);

            assertThat(believed()).isEqualTo(time.now());
        }
    }
}
