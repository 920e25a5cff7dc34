package io.idgen.core.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arithmetic sequences of various lengths. The elements before and after them stay unchanged. */
class ProgressionTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 63, 64, 65, 127, 128, 129, 1_000, 10_001})
    void numbersAreAtEvenDistances(int count) {
        long[] numbers = new long[count + 10];
        Progression.fill(numbers, 3, count, 42, 5);

        for (int i = 0; i < numbers.length; i++) {
            assertThat(numbers[i]).as("number %d", i).isEqualTo(i < 3 || i >= 3 + count ? 0 : 42 + 5L * (i - 3));
        }
    }
}
