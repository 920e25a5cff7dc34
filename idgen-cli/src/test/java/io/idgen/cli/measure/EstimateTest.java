package io.idgen.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares with published tables of binomial confidence limits of a median. */
class EstimateTest {

    private static Estimate ofOneTo(int n) {
        return Estimate.of(IntStream.rangeClosed(1, n).asDoubleStream().toArray());
    }

    @Test
    void sixRoundsNeedTheirWholeRange() {
        assertThat(ofOneTo(6)).isEqualTo(new Estimate(1, 3.5, 6));
    }

    @Test
    void moreRoundsLeaveOutTheirExtremes() {
        assertThat(ofOneTo(9)).isEqualTo(new Estimate(2, 5, 8));
        assertThat(ofOneTo(20)).isEqualTo(new Estimate(6, 10.5, 15));
        assertThat(ofOneTo(30)).isEqualTo(new Estimate(10, 15.5, 21));
    }

    @Test
    void oneRoundIsAllThereIs() {
        assertThat(ofOneTo(1)).isEqualTo(new Estimate(1, 1, 1));
    }
}
