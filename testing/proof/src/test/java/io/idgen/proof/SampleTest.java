package io.idgen.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.proof.Sample.Trend;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Samples of a process pass from it to the run as lines, and their trend shows growth. */
class SampleTest {
    @Test
    void aLineHasAllOfASample() {
        Sample sample = new Sample(1, 2, 3, 4, 5, 6, 7, 8);

        assertThat(Sample.parse(sample.line())).isEqualTo(sample);
    }

    @Test
    void theBeginningOfAPhaseIsNoGrowth() {
        Trend trend = Trend.of(List.of(10L, 90L, 20L, 22L, 21L, 22L), Long::longValue);

        assertThat(trend).isEqualTo(new Trend(22, 22));
        assertThat(trend.grows(0)).isFalse();
    }

    @Test
    void steadyGrowthIsFound() {
        Trend trend = Trend.of(List.of(1L, 2L, 3L, 4L, 5L, 6L), Long::longValue);

        assertThat(trend.grows(1)).isTrue();
        assertThat(trend.grows(2)).isFalse();
    }
}
