package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.SnowflakeAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks every sequence of clock readings: 7 calls, each of which may read any of 6 ticks, with 2 sequences per tick.
 * The ring never returns a word twice. Its published form does so after four readings, even if the clock never steps
 * back.
 */
class RingModelTest {
    private static final int CALLS = 7;
    private static final int TICKS = 6;

    private static final SnowflakeLayout TINY =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(1), 61, 0, 1, 1);

    /** Returns the shortest sequence of readings after which a word was returned twice. */
    private static Optional<List<Integer>> readingsThatRepeat(Supplier<LongUnaryOperator> ring) {
        for (int calls = 1; calls <= CALLS; calls++) {
            for (int run = 0; run < Math.pow(TICKS, calls); run++) {
                List<Integer> readings = new ArrayList<>();
                for (int i = 0, rest = run; i < calls; i++, rest /= TICKS) {
                    readings.add(rest % TICKS);
                }
                Set<Long> words = new HashSet<>();
                LongUnaryOperator claim = ring.get();
                for (int reading : readings) {
                    long word = claim.applyAsLong(1 + reading); // tick 0 is never issued
                    if (word >= 0 && !words.add(word)) {
                        return Optional.of(readings);
                    }
                }
            }
        }
        return Optional.empty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void noSequenceOfReadingsMakesTheRingRepeatAWord(int slots) {
        assertThat(readingsThatRepeat(() -> {
                    Window window = new RingSlots(TINY, 0, 1, 1, slots);
                    return tick -> window.claim(() -> tick);
                }))
                .isEmpty();
    }

    @Test
    void noSequenceOfReadingsMakesTheRisingWordRepeatAWord() {
        assertThat(readingsThatRepeat(() -> {
                    Window window = new RisingWindow(TINY, 0, 1, 1, 2);
                    return tick -> window.claim(() -> tick);
                }))
                .isEmpty();
    }

    /**
     * The published ring. A slot continues after its last word. From a full tick it carries into the next one, which
     * belongs to another slot.
     */
    private static LongUnaryOperator publishedRing() {
        long[] slots = new long[3];
        Arrays.fill(slots, -1);
        return tick -> {
            int slot = (int) (tick % slots.length);
            slots[slot] = Math.max(slots[slot] + 1, tick << 1);
            return slots[slot];
        };
    }

    @Test
    void thePublishedRingRepeatsAWordAfterFourReadings() {
        assertThat(readingsThatRepeat(RingModelTest::publishedRing))
                .hasValueSatisfying(readings -> assertThat(readings).hasSize(4));
    }

    @Test
    void thePublishedRingRepeatsAWordOnAClockThatNeverStepsBack() {
        LongUnaryOperator ring = publishedRing();

        assertThat(LongStream.of(1, 1, 1, 2).map(ring)).containsExactly(2L, 3L, 4L, 4L);
    }

    @Test
    void aRingHasTwoToAMillionSlots() {
        assertThat(ClockPolicy.reuse(2)).hasToString("reuse:2").hasSameHashCodeAs(ClockPolicy.parse("reuse:2"));
        assertThat(SnowflakeAccess.aheadTicks(ClockPolicy.reuse(1 << 20), TINY)).isEqualTo((1 << 20) - 1);
        assertThrows(IllegalArgumentException.class, () -> ClockPolicy.reuse(1));
        assertThrows(IllegalArgumentException.class, () -> ClockPolicy.reuse((1 << 20) + 1));
    }
}
