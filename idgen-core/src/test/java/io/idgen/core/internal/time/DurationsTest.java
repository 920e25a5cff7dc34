package io.idgen.core.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "5ms, PT0.005S",
        "30 s, PT30S",
        "10min, PT10M",
        "2m, PT2M",
        "3h, PT3H",
        "1d, PT24H",
        "0ms, PT0S",
        "' 7 s ', PT7S",
        "PT0.5S, PT0.5S",
        "pt3s, PT3S",
        "P1D, PT24H"
    })
    void aNumberWithItsUnitIsRead(String text, Duration duration) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "", "ms", "-5ms", "5 ms 3 s", "5 sec", "1.5s", "5MS", "PT-5S", "P", "1234567890123s"})
    void anyOtherTextIsRefused(String text) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> Durations.parse(text)))
                .hasMessage("a duration is a whole number with a unit (ms, s, min, h, d), for example 5ms or 3s, got '"
                        + text + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.005S, 5 ms",
        "PT1.5S, 1500 ms",
        "PT3S, 3 s",
        "PT90S, 90 s",
        "PT2M, 2 min",
        "PT60M, 1 h",
        "PT48H, 48 h",
        "PT0.0005S, PT0.0005S",
        "PT-0.037S, -37 ms",
        "PT-1H, -1 h"
    })
    void aDurationIsWrittenInTheLargestUnitThatLosesNothing(Duration duration, String text) {
        assertThat(Durations.text(duration)).isEqualTo(text);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long[] units = {1, 1_000_000, 1_000_000_000, 60_000_000_000L, 3_600_000_000_000L};
            Duration duration =
                    Duration.ofNanos(units[random.nextInt(units.length)]).multipliedBy(random.nextInt(100_000));

            assertThat(Durations.parse(Durations.text(duration))).isEqualTo(duration);
        }
    }
}
