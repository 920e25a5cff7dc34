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

/** Arguments that allocators reject without a call to the database. */
class CountersOptionsTest {
    private static final DataSource NONE = Wrapped.dataSource(() -> {
        throw new AssertionError("a connection was asked for");
    });
    private static final Counters COUNTERS = new Counters(NONE);

    @ParameterizedTest
    @ValueSource(strings = {"orders", "orders.id; DROP TABLE idgen_counter", "(SELECT 1).id", "a.b.c.d.e", ""})
    void whatIsNoNameOfAColumnIsNotAdopted(String column) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> COUNTERS.adopting(column)))
                .hasMessageContaining("2 to 4 identifiers")
                .hasMessageContaining("got '" + column + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x; drop table y", "a b", "\"a", "a--", "a.b.c.d", "", "idgen_counter WHERE 1=1", "a'"})
    void whatIsNoNameOfATableIsRefused(String name) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> COUNTERS.inTable(name)))
                .hasMessageContaining("1 to 3 identifiers")
                .hasMessageContaining("got '" + name + "'");
    }

    @Test
    void valuesThatCannotBeRightAreRefusedAtOnce() {
        assertThat(assertThrows(IllegalArgumentException.class, () -> COUNTERS.startingAt(0)))
                .hasMessage("start must be at least 1, got 0");
        assertThat(assertThrows(IllegalArgumentException.class, () -> COUNTERS.below(1)))
                .hasMessage("limit must be at least 2, got 1");
        assertThat(assertThrows(IllegalArgumentException.class, () -> COUNTERS.withReach(0)))
                .hasMessage("a reach is 1 to 1099511627776, got 0");
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofDays(25))) {
            assertThat(assertThrows(IllegalArgumentException.class, () -> COUNTERS.withTimeout(timeout)))
                    .hasMessage("timeout must be 1 ms to 24 days, got " + timeout);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 3", "4, 3", "1, 0", "-1, -1"})
    void anInstanceIsOneOfThoseThereAre(int instance, int instances) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> COUNTERS.instance(instance, instances)))
                .hasMessageEndingWith("got " + instance + " of " + instances);
        assertThat(assertThrows(IllegalArgumentException.class, () -> new SteppedSequence(List.of())))
                .hasMessage("databases must contain at least one, got none");
    }

    @Test
    void aSequenceHasNoOtherLimits() {
        NativeSequence sequence = new NativeSequence(NONE, "orders");
        assertThat(assertThrows(IllegalArgumentException.class, () -> sequence.below(1)))
                .hasMessage("limit must be at least 2, got 1");
        assertThat(assertThrows(
                        IllegalArgumentException.class, () -> sequence.inBlocks(0, NativeSequence.ValueIs.FIRST)))
                .hasMessage("increment must be at least 1, got 0");
        assertThrows(IllegalArgumentException.class, () -> new NativeSequence(NONE, "o'; DROP TABLE orders; --"));
    }
}
