package io.idgen.cli.compare.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DuplicatesTest {

    @Test
    void findsWhatWasGivenTwiceHoweverFarApart() {
        assertThat(Duplicates.of(List.of(new long[] {5, 6, 7}, new long[] {8, 5, 5}), 1))
                .isEqualTo(new Duplicates(6, 2, "5"));
    }

    @Test
    void keysOf128BitsAreEqualInBothHalvesOrNotAtAll() {
        assertThat(Duplicates.of(List.of(new long[] {1, 2, 1, 3, 2, 2, 2, 1}), 2)
                        .count())
                .isZero();
        assertThat(Duplicates.of(List.of(new long[] {1, 2, 3, 4, 1, 2}), 2).count())
                .isEqualTo(1);
    }

    @Test
    void aSpeedHasTheMedianAndTheRangeOfItsRounds() {
        assertThat(Speed.of(List.of(6.0, 1.0, 2.0, 5.0, 3.0, 4.0))).isEqualTo(new Speed(3.5, 1, 6));
    }
}
