package io.idgen.core.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import org.junit.jupiter.api.Test;

/** Words that one thread claims from a ring of four ticks with 16 words each. */
class RingWindowTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.parse("41-5-13-4");
    private static final int WORDS = 16;
    private static final long NOW = 1_000;

    private final RingWindow window = new RingWindow(LAYOUT, 3, 1, NOW, 4);

    private long claimAt(long now, int count) {
        return window.claim(() -> now, count);
    }

    @Test
    void wordsAreOfTheNearestTickThatHasSomeLeft() {
        assertThat(claimAt(NOW, WORDS)).isEqualTo(NOW * WORDS);
        assertThat(claimAt(NOW, WORDS)).isEqualTo((NOW + 1) * WORDS);
        assertThat(claimAt(NOW, WORDS)).isEqualTo((NOW + 2) * WORDS);
        assertThat(claimAt(NOW, WORDS - 1)).isEqualTo((NOW + 3) * WORDS);
        assertThat(claimAt(NOW, WORDS)).isEqualTo((NOW + 3) * WORDS + WORDS - 1);
        assertThat(claimAt(NOW, 1)).isEqualTo(Window.NONE);
        assertThat(claimAt(NOW + 1, 1)).isEqualTo((NOW + 4) * WORDS);
        assertThat(window.highest()).isEqualTo((NOW + 4) * WORDS);
    }

    @Test
    void aStepBackBeforeTheTicksThatAreRememberedGivesNothing() {
        for (long tick = NOW; tick < NOW + 8; tick++) {
            claimAt(tick, 1);
        }

        assertThat(claimAt(NOW, 1)).isEqualTo(Window.NONE);
        assertThat(claimAt(NOW + 1, 1)).isEqualTo((NOW + 4) * WORDS + 1);
    }

    @Test
    void ticksBeforeTheFirstAndTheFirstTickOfALayoutAreLeftOut() {
        assertThat(claimAt(NOW - 4, 1)).isEqualTo(Window.NONE);
        assertThat(claimAt(NOW - 3, 1)).isEqualTo(NOW * WORDS);
        assertThat(new RingWindow(LAYOUT, 3, 1, 0, 4).claim(() -> 0)).isEqualTo(WORDS);
    }

    @Test
    void theLastTickOfAWindowIsUsedAndNoneAfterIt() {
        window.endAt(NOW + 1);

        assertThat(claimAt(NOW, WORDS)).isEqualTo(NOW * WORDS);
        assertThat(claimAt(NOW, WORDS)).isEqualTo((NOW + 1) * WORDS);
        assertThat(claimAt(NOW, 1)).isEqualTo(Window.NONE);
    }

    @Test
    void aSealedRingHasNoWordsAndKeepsItsHighest() {
        claimAt(NOW, WORDS);
        claimAt(NOW, 3);
        window.seal();

        assertThat(claimAt(NOW, 1)).isEqualTo(Window.SEALED);
        assertThat(window.highest()).isEqualTo(Window.SEALED);
        assertThat(window.highestEver()).isEqualTo((NOW + 1) * WORDS + 2);
        assertThat(window.highestTick()).isEqualTo(NOW + 1);
        window.seal();
        assertThat(window.highestTick()).isEqualTo(NOW + 1);
    }
}
