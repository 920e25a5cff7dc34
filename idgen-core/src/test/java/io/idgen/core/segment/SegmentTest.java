package io.idgen.core.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SegmentTest {

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, 1",
        "1, 1000, 1, 1000",
        "2, 10, 3, 29",
        "5, 1, 7, 5",
        "1, 2147483647, 2147483647, 4611686011984936963"
    })
    void theLastIdIsCountMinusOneStridesAboveTheFirst(long first, int count, int stride, long last) {
        Segment segment = new Segment(first, count, stride);

        assertThat(segment.last()).isEqualTo(last);
        assertThat(segment.id(0)).isEqualTo(first);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1, 'first must be above 0, got 0'",
        "-5, 1, 1, 'first must be above 0, got -5'",
        "1, 0, 1, 'count must be at least 1, got 0'",
        "1, 1, 0, 'stride must be at least 1, got 0'",
        "1, 1, -1, 'stride must be at least 1, got -1'"
    })
    void aRunThatIsEmptyOrNotPositiveIsRefused(long first, int count, int stride, String message) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> new Segment(first, count, stride)))
                .hasMessage(message);
    }

    @Test
    void aRunMayReachTheLargestLongButNotBeyond() {
        long max = Long.MAX_VALUE;

        assertThat(new Segment(max, 1, 1).last()).isEqualTo(max);
        assertThat(new Segment(max - 9, 10, 1).last()).isEqualTo(max);
        assertThat(new Segment(max - 9, 4, 3).last()).isEqualTo(max);
        assertThat(assertThrows(IllegalArgumentException.class, () -> new Segment(max - 9, 11, 1)))
                .hasMessage("11 ids from 9223372036854775798 in steps of 1 reach beyond 9223372036854775807");
        assertThat(assertThrows(IllegalArgumentException.class, () -> new Segment(max - 8, 4, 3)))
                .hasMessageContaining("reach beyond");
    }
}
