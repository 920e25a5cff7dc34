package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Words that one thread claims from a rising window, and their ids, at each boundary. A tick has 16 words. */
class RisingWindowTest {
    private static final SnowflakeLayout LAYOUT = SnowflakeLayout.parse("41-5-13-4");
    private static final int WORDS = 16;
    private static final long NOW = 1_000;
    private static final long AHEAD = 2;

    private final RisingWindow window = new RisingWindow(LAYOUT, 3, 1, NOW, AHEAD);

    private long claimAt(long now, int count) {
        return window.claim(() -> now, count);
    }

    @Test
    void wordsFollowEachOtherIntoTheTicksAhead() {
        assertThat(claimAt(NOW, 10)).isEqualTo(NOW * WORDS);
        assertThat(claimAt(NOW, 10)).isEqualTo(NOW * WORDS + 10);
        assertThat(window.claimed(NOW * WORDS + 10, 10)).isEqualTo(6);
        assertThat(claimAt(NOW, WORDS)).isEqualTo((NOW + 1) * WORDS);
        assertThat(claimAt(NOW, WORDS)).isEqualTo((NOW + 2) * WORDS);
        assertThat(claimAt(NOW, 1)).isEqualTo(Window.NONE);
        assertThat(claimAt(NOW + 1, 1)).isEqualTo((NOW + 3) * WORDS);
    }

    @Test
    void isFullWhenTheTicksAheadAreUsedUpToo() {
        claimAt(NOW, WORDS);
        claimAt(NOW, WORDS);
        claimAt(NOW, WORDS - 1);
        assertThat(window.isFull(NOW)).isFalse();

        claimAt(NOW, 1);
        assertThat(window.isFull(NOW)).isTrue();
        assertThat(window.isFull(NOW + 1)).isFalse();
        assertThat(window.highestTick()).isEqualTo(NOW + AHEAD);

        window.seal();
        assertThat(window.isFull(NOW)).isFalse();
        assertThat(window.highestTick()).isEqualTo(NOW + AHEAD);
    }

    @Test
    void theFirstTickOfALayoutIsLeftOut() {
        assertThat(new RisingWindow(LAYOUT, 3, 1, 0, 0).claim(() -> 0)).isEqualTo(Window.NONE);
        assertThat(new RisingWindow(LAYOUT, 3, 1, 0, 1).claim(() -> 0)).isEqualTo(WORDS);
    }

    @Test
    void aWindowEndsWithItsLastTickAndAtTheLatestWithTheLayout() {
        long last = (1L << LAYOUT.timeBits()) - 1;
        window.endAt(NOW + 1);
        claimAt(NOW, WORDS);
        assertThat(window.isUsedUp(window.highest())).isFalse();
        claimAt(NOW, WORDS);
        assertThat(window.isUsedUp(window.highest())).isTrue();
        assertThat(claimAt(NOW + 50, 1)).isEqualTo(Window.NONE);

        window.endAt(last + 10);
        assertThat(window.lastTick()).isEqualTo(last);
    }

    @Test
    void aSealInTheMiddleOfAClaimEndsIt() {
        assertThat(window.claim(() -> {
                    window.seal();
                    return NOW;
                }))
                .isEqualTo(Window.SEALED);
        assertThat(claimAt(NOW, 1)).isEqualTo(Window.SEALED);
    }

    @Test
    void theFirstSequenceOfATickIsAHashOfItBelowTheBound() {
        RisingWindow spread = new RisingWindow(LAYOUT, 3, 8, NOW, 0);
        long used = 0;
        for (long tick = NOW; tick < NOW + 100; tick++) {
            long now = tick;
            long word = spread.claim(() -> now);
            assertThat(word).isEqualTo(spread.firstWordOf(tick)).isBetween(tick * WORDS, tick * WORDS + 7);
            used |= 1L << (word - tick * WORDS);
        }
        assertThat(used).isEqualTo(0xFF);
    }

    // computed independently, with the constants of the published generator (the finalizer of splitmix64)
    @Test
    void theFirstSequenceOfATickIsTheSameInEveryVersion() {
        RisingWindow spread = new RisingWindow(SnowflakeLayout.IDGEN, 0, 1024, 1, 0);

        assertThat(LongStream.of(1, 2, 3, 91_153_350_244L, (1L << 41) - 1)
                        .map(tick -> spread.firstWordOf(tick) - (tick << 12)))
                .containsExactly(485L, 138L, 240L, 110L, 670L);
    }

    @Test
    void anIdHasItsPartsWhereTheLayoutHasThem() {
        long word = NOW * WORDS + 9;

        assertThat(LAYOUT.parse(window.id(word)).time())
                .isEqualTo(LAYOUT.epoch().plusMillis(NOW));
        assertThat(LAYOUT.parse(window.id(word)).worker()).isEqualTo(3);
        assertThat(LAYOUT.parse(window.id(word)).sequence()).isEqualTo(9);
    }

    @Test
    void idsOfOneClaimDifferByOneSequenceInEachOrderOfTheFields() {
        SnowflakeLayout workerLowest = new SnowflakeLayout(
                LAYOUT.epoch(), Duration.ofMillis(1), 41, 5, 13, 4, SnowflakeLayout.FieldOrder.SEQUENCE_ABOVE_WORKER);
        for (SnowflakeLayout layout : new SnowflakeLayout[] {LAYOUT, workerLowest}) {
            Window any = new RisingWindow(layout, 3, 1, NOW, 0);
            long[] ids = new long[5];

            any.ids(NOW * WORDS + 9, 3, ids, 1);

            assertThat(ids)
                    .containsExactly(0, any.id(NOW * WORDS + 9), any.id(NOW * WORDS + 10), any.id(NOW * WORDS + 11), 0);
            assertThat(layout.parse(ids[3]).worker()).isEqualTo(3);
            assertThat(layout.parse(ids[3]).sequence()).isEqualTo(11);
        }
    }
}
