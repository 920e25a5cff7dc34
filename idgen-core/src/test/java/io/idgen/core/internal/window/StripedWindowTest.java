package io.idgen.core.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.text.Defaults;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.snowflake.SnowflakeAccess;
import io.idgen.test.internal.Together;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks of words end with their tick, stay within the policy's bound, and repeat nothing. */
@Timeout(120)
class StripedWindowTest {
    private static final SnowflakeLayout WIDE = SnowflakeLayout.parse("41-0-4-18");
    private static final long NOW = 1_000_000;
    private static final long AHEAD = 5;

    private final StripedWindow window = new StripedWindow(WIDE, 3, 1, NOW, AHEAD);

    @BeforeEach
    void threadsRace() {
        window.lostRace();
    }

    private long tickOfClaimAt(long now) {
        long word = window.claim(() -> now);
        return word < 0 ? word : word >> WIDE.sequenceBits();
    }

    @Test
    void wordsOfAThreadFollowEachOther() {
        long first = window.claim(() -> NOW);

        for (int i = 1; i < 1_000; i++) {
            assertThat(window.claim(() -> NOW)).isEqualTo(first + i);
        }
    }

    @Test
    void withoutARaceThereAreNoBlocks() {
        Window calm = new StripedWindow(WIDE, 3, 1, NOW, AHEAD);
        long first = calm.claim(() -> NOW);

        assertThat(calm.claim(() -> NOW, 10)).isEqualTo(first + 1);
        assertThat(calm.claim(() -> NOW)).isEqualTo(first + 11);
    }

    @Test
    void aBlockEndsWithItsTick() {
        assertThat(tickOfClaimAt(NOW)).isEqualTo(NOW);
        assertThat(tickOfClaimAt(NOW + 1)).isEqualTo(NOW + 1);
        assertThat(tickOfClaimAt(NOW + 7)).isEqualTo(NOW + 7);
    }

    @Test
    void theLastBlockOfATickIsAsLongAsWhatTheTickHasLeft() {
        long first = window.claim(() -> NOW, (int) WIDE.idsPerTick() - 10);
        long[] words = new long[40];
        Arrays.setAll(words, i -> window.claim(() -> NOW));
        long taken = window.claim(() -> NOW, 30); // in the middle of the next tick

        assertThat(first).isEqualTo(NOW << WIDE.sequenceBits());
        assertThat(words).doesNotHaveDuplicates();
        assertThat(Arrays.stream(words).filter(word -> word >> WIDE.sequenceBits() == NOW))
                .hasSize(10);
        assertThat(taken).isGreaterThan(words[39]);
        assertThat(window.claim(() -> NOW)).isNotIn(taken, taken + 29);
    }

    @Test
    void aClockThatStepsBackWithinTheBoundIsServedFromTheBlock() {
        long first = window.claim(() -> NOW + AHEAD);

        assertThat(window.claim(() -> NOW)).isEqualTo(first + 1);
    }

    @Test
    void aBlockIsNotUsedBeyondTheBound() {
        long first = window.claim(() -> NOW + AHEAD);

        assertThat(window.claim(() -> NOW - 1)).isEqualTo(Window.NONE);
        assertThat(window.claim(() -> NOW + AHEAD)).isEqualTo(first + 1);
    }

    @Test
    void aSealedWindowGivesNothingOfItsBlocks() {
        long first = window.claim(() -> NOW);
        window.seal();

        assertThat(window.claim(() -> NOW)).isEqualTo(Window.SEALED);
        assertThat(window.highestEver()).isGreaterThanOrEqualTo(first);
    }

    @Test
    void blocksAreOfFixedWorkersWithPlentyOfIdsInATick() {
        ClockPolicy policy = ClockPolicy.parse(Defaults.CLOCK_POLICY);

        assertThat(SnowflakeAccess.window(policy, WIDE, 0, 1, NOW)).isInstanceOf(StripedWindow.class);
        assertThat(SnowflakeAccess.window(policy, SnowflakeLayout.parse("41-1-4-17"), 0, 1, NOW))
                .isExactlyInstanceOf(RisingWindow.class);
    }

    @Test
    void manyThreadsGetDifferentIdsWhichRiseFromTickToTick() throws Exception {
        int perThread = 20_000;
        Instant before = Instant.now();
        try (Snowflake ids = Snowflake.builder()
                .layout(WIDE)
                .workerId(1)
                .namespace("striped")
                .build()) {
            List<long[]> drawn = Together.run(
                    80,
                    thread -> { // more than there are slots
                        long[] all = new long[perThread];
                        for (int i = 0; i < all.length; i++) {
                            all[i] = ids.nextId();
                        }
                        return all;
                    });

            Together.assertDistinct(drawn);
            assertThat(drawn).allSatisfy(all -> {
                assertThat(Arrays.stream(all).map(id -> id >> 22).toArray()).isSorted();
                assertThat(WIDE.parse(all[0]).time()).isAfterOrEqualTo(before.minusMillis(1));
                assertThat(WIDE.parse(all[all.length - 1]).time()).isBeforeOrEqualTo(Instant.now());
            });
            assertThat(Arrays.stream(drawn.get(0)).allMatch(id -> WIDE.parse(id).worker() == 1))
                    .isTrue();
        }
    }

    /** A clock that also keeps what it said. */
    private static final class KeptClock implements Window.Ticks {
        long now = NOW;
        long recently = NOW;
        int readings;

        @Override
        public long now() {
            readings++;
            return now;
        }

        @Override
        public long recently() {
            return recently;
        }
    }

    private final Window calm = new StripedWindow(WIDE, 3, 1, NOW, 0);
    private final KeptClock kept = new KeptClock();

    private void claim(int words) {
        for (int i = 0; i < words; i++) {
            assertThat(calm.claim(kept)).isNotNegative();
        }
    }

    @Test
    void withoutARaceABusyTickSeldomNeedsTheClock() {
        claim(1_000);
        assertThat(kept.readings).isEqualTo(1_000);

        claim(3_096);
        kept.readings = 0;
        claim(64_000);
        assertThat(kept.readings).isEqualTo(1_000);
    }

    @Test
    void aTickThatHasBegunIsNoticedWithinABlockHoweverLateTheKeptOneIs() {
        claim(10_000);
        kept.now = NOW + 1;

        claim(64);
        assertThat(calm.highestTick()).isEqualTo(NOW + 1);
        claim(10_000);
        assertThat(calm.highestTick()).isEqualTo(NOW + 1);
    }

    @Test
    void aKeptTickThatHasGoneOnIsUsed() {
        claim(10_000);
        kept.recently = NOW + 1;

        claim(1);
        assertThat(calm.highestTick()).isEqualTo(NOW + 1);
    }

    @Test
    void aFullTickIsFullByTheClockItself() {
        claim(1 << 18);

        assertThat(calm.claim(kept)).isEqualTo(Window.NONE);
        kept.now = NOW + 1;
        claim(1);
    }
}
