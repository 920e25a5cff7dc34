package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.jdbc.testing.Wrapped;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that allocators over tables reject without a call to the database. */
class TableAllocatorTest {
    private static final DataSource NONE = Wrapped.dataSource(() -> {
        throw new AssertionError("a connection was asked for");
    });
    private static final List<TableAllocator<?>> TABLES =
            List.of(new SegmentTable(NONE), new SequenceTable(NONE), new SteppedSequence(NONE, 2, 3));

    @ParameterizedTest
    @ValueSource(strings = {"orders", "orders.id; DROP TABLE idgen_segment", "(SELECT 1).id", "a.b.c.d.e", ""})
    void whatIsNoNameOfAColumnIsNotAdopted(String column) {
        for (TableAllocator<?> table : TABLES) {
            assertThat(assertThrows(IllegalArgumentException.class, () -> table.adopting(column)))
                    .hasMessageContaining("2 to 4 identifiers")
                    .hasMessageContaining("got '" + column + "'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x; drop table y", "a b", "\"a", "a--", "a.b.c.d", "", "idgen_segment WHERE 1=1", "a'"})
    void whatIsNoNameOfATableIsRefused(String name) {
        for (TableAllocator<?> table : TABLES) {
            assertThat(assertThrows(IllegalArgumentException.class, () -> table.inTable(name)))
                    .hasMessageContaining("1 to 3 identifiers")
                    .hasMessageContaining("got '" + name + "'");
        }
    }

    @Test
    void valuesThatCannotBeRightAreRefusedAtOnce() {
        for (TableAllocator<?> table : TABLES) {
            assertThat(assertThrows(IllegalArgumentException.class, () -> table.startingAt(0)))
                    .hasMessage("start must be at least 1, got 0");
            assertThat(assertThrows(IllegalArgumentException.class, () -> table.below(1)))
                    .hasMessage("limit must be at least 2, got 1");
            for (Duration timeout : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofDays(25))) {
                assertThat(assertThrows(IllegalArgumentException.class, () -> table.withTimeout(timeout)))
                        .hasMessage("timeout must be 1 ms to 24 days, got " + timeout);
            }
        }
    }

    @Test
    void aStepIsAtLeastOne() {
        assertThat(assertThrows(IllegalArgumentException.class, () -> new SegmentTable(NONE).withStep(0)))
                .hasMessage("a step is at least 1, got 0");
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "4, 3", "1, 0", "-1, -1"})
    void anInstanceIsOneOfThoseThereAre(int instance, int instances) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> new SteppedSequence(NONE, instance, instances)))
                .hasMessageEndingWith("got " + instance + " of " + instances);
        assertThat(assertThrows(IllegalArgumentException.class, () -> SteppedSequence.over(List.of())))
                .hasMessage("dataSources must contain at least one data source, got none");
    }

    @Test
    void aSequenceHasNoOtherLimits() {
        NativeSequence sequence = new NativeSequence(NONE);
        assertThat(assertThrows(IllegalArgumentException.class, () -> sequence.below(1)))
                .hasMessage("limit must be at least 2, got 1");
        assertThat(assertThrows(
                        IllegalArgumentException.class, () -> sequence.inBlocks(0, NativeSequence.ValueIs.FIRST)))
                .hasMessage("increment must be at least 1, got 0");
    }
}
