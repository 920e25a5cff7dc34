package io.idgen.benchmarks.insert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against the tables of binomial confidence limits of a median. */
class MedianIntervalTest {

    private static MedianInterval ofOneTo(int n) {
        return MedianInterval.of(IntStream.rangeClosed(1, n).asDoubleStream().toArray());
    }

    @Test
    void sixRoundsNeedTheirWholeRange() {
        assertThat(ofOneTo(6)).isEqualTo(new MedianInterval(3.5, 1, 6));
    }

    @Test
    void moreRoundsLeaveOutTheirExtremes() {
        assertThat(ofOneTo(9)).isEqualTo(new MedianInterval(5, 2, 8));
        assertThat(ofOneTo(20)).isEqualTo(new MedianInterval(10.5, 6, 15));
        assertThat(ofOneTo(30)).isEqualTo(new MedianInterval(15.5, 10, 21));
    }

    @Test
    void oneRoundIsAllThereIs() {
        assertThat(ofOneTo(1)).isEqualTo(new MedianInterval(1, 1, 1));
    }
}
