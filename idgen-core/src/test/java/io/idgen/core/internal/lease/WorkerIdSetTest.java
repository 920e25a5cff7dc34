package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of {@code idgen.worker.reserved}. */
class WorkerIdSetTest {

    @Test
    void aSetIsNumbersAndRangesWithBothEnds() {
        WorkerIdSet set = WorkerIdSet.parse(" 0-3,7 ");

        assertThat(IntStream.of(0, 1, 2, 3, 7)).allMatch(set::contains);
        assertThat(IntStream.of(4, 6, 8, 31)).noneMatch(set::contains);
        assertThat(set).hasToString("0-3,7");
        assertThat(set.largest()).isEqualTo(7);
        assertThat(WorkerIdSet.EMPTY.contains(0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "1,", ",1", "1,,2", "3-1", "1-", "-1", "1-2-3", "1;2", "0 - 3", "1234567890", "0x1"})
    void anyOtherTextIsRefusedWithTheRule(String text) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> WorkerIdSet.parse(text)))
                .hasMessageContaining("for example 0-3,7, got '" + text + "'");
    }

    @Test
    void aWorkerIdStandsForThatOfEachDatacenter() {
        assertThat(WorkerIdSet.parse("5").workerIds(SnowflakeLayout.IDGEN, 0, 96))
                .isEqualTo(Set.of(5, 32 + 5, 64 + 5));
        assertThat(WorkerIdSet.parse("5").workerIds(SnowflakeLayout.IDGEN, 32, 5))
                .isEmpty();
    }
}
