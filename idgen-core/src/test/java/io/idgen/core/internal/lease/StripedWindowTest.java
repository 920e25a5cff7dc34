package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.test.internal.ParallelThreads;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Blocks of words end with their tick, stay within the limit of the clock policy, and repeat no word. */
class StripedWindowTest {
    private static final SnowflakeLayout WIDE = SnowflakeLayout.parse("41-0-4-18");
    private static final int BITS = 18;
    private static final int WORDS = 1 << BITS;
    private static final int BLOCK = 64;
    private static final int BUSY = 4096;
    private static final long NOW = 1_000_000;
    private static final long FIRST = NOW << BITS;
    private static final long AHEAD = 5;

    private final StripedWindow window = new StripedWindow(WIDE, 3, 1, NOW, AHEAD);

    private long claimAt(long now) {
        return window.claim(() -> now);
    }

    /** Claims a word in another thread, which has another stripe. */
    private static long claimElsewhere(Window window, long now) throws InterruptedException {
        AtomicLong word = new AtomicLong();
        int mine = (int) Thread.currentThread().getId() & 63;
        Thread other;
        do {
            other = new Thread(() -> word.set(window.claim(() -> now)));
        } while (((int) other.getId() & 63) == mine);
        other.start();
        other.join();
        return word.get();
    }

    @Test
    void aThreadUsesABlockWordByWordAndThenTheNextOne() throws Exception {
        for (int i = 0; i < BLOCK; i++) {
            assertThat(claimAt(NOW)).isEqualTo(FIRST + i);
        }
        assertThat(claimElsewhere(window, NOW)).isEqualTo(FIRST + BLOCK);
        for (int i = 0; i < BLOCK; i++) {
            assertThat(claimAt(NOW)).isEqualTo(FIRST + 2 * BLOCK + i);
        }
    }

    @Test
    void eachStripeHasABlockOfItsOwn() throws Exception {
        Thread[] threads = new Thread[64];
        Set<Long> words = ConcurrentHashMap.newKeySet();
        for (int left = threads.length; left > 0; ) {
            Thread thread = new Thread(() -> words.add(claimAt(NOW)));
            int stripe = (int) thread.getId() & 63;
            left -= threads[stripe] == null ? 1 : 0;
            threads[stripe] = thread;
        }
        for (Thread thread : threads) {
            thread.start();
            thread.join();
        }

        assertThat(words).hasSize(64).allMatch(word -> word % BLOCK == 0);
    }

    @Test
    void aWordThatAnotherThreadOfTheStripeTakesFirstIsNotTakenAgain() {
        claimAt(NOW);
        AtomicInteger readings = new AtomicInteger();

        long word = window.claim(() -> {
            if (readings.getAndIncrement() == 0) {
                claimAt(NOW); // another thread of the stripe, between the read and the compare-and-set
            }
            return NOW;
        });

        assertThat(word).isEqualTo(FIRST + 2);
        assertThat(readings).hasValue(2);
    }

    @Test
    void aBatchIsAboveTheWordsOfItsThreadBeforeAndBelowThoseAfter() {
        assertThat(claimAt(NOW)).isEqualTo(FIRST);
        assertThat(window.claim(() -> NOW, 10)).isEqualTo(FIRST + BLOCK);
        assertThat(claimAt(NOW)).isEqualTo(FIRST + BLOCK + 10);
        assertThat(claimAt(NOW)).isEqualTo(FIRST + BLOCK + 11);
        assertThat(window.claim(() -> NOW, 1)).isEqualTo(FIRST + 2 * BLOCK);
        assertThat(claimAt(NOW)).isEqualTo(FIRST + 2 * BLOCK + 1);
    }

    @Test
    void theLastWordThatTheBoundAllowsIsUsed() {
        StripedWindow none = new StripedWindow(WIDE, 3, 1, NOW, 0);
        for (long word = FIRST; word < FIRST + WORDS; word++) {
            assertThat(none.claim(() -> NOW)).isEqualTo(word);
        }
        assertThat(none.claim(() -> NOW)).isEqualTo(Window.NONE);
    }

    /** A thread may claim a block before the seal, and begin it after. */
    @Test
    void aBlockThatWasClaimedBeforeTheSealDoesNotOpenItsStripeAgain() {
        claimAt(NOW);
        window.raise(StripedWindow.placeOfThread(), FIRST + BLOCK);
        window.raise(StripedWindow.placeOfThread(), FIRST + BLOCK - 2);
        assertThat(claimAt(NOW)).as("control: the higher one of two blocks").isEqualTo(FIRST + BLOCK + 1);

        window.seal();
        window.raise(StripedWindow.placeOfThread(), FIRST + 2 * BLOCK);

        assertThat(claimAt(NOW)).isEqualTo(Window.SEALED);
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
            List<long[]> drawn = ParallelThreads.run(
                    80,
                    thread -> { // more threads than stripes
                        long[] all = new long[perThread];
                        for (int i = 0; i < all.length; i++) {
                            all[i] = ids.nextId();
                        }
                        return all;
                    });

            ParallelThreads.assertDistinct(drawn);
            assertThat(drawn).allSatisfy(all -> {
                assertThat(all).isSorted();
                assertThat(WIDE.parse(all[0]).time()).isAfterOrEqualTo(before.minusMillis(1));
                assertThat(WIDE.parse(all[all.length - 1]).time()).isBeforeOrEqualTo(Instant.now());
            });
            assertThat(Arrays.stream(drawn.get(0)).allMatch(id -> WIDE.parse(id).worker() == 1))
                    .isTrue();
        }
    }

    /** A clock with a cached tick. */
    private static final class Cached implements Window.Ticks {
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

    private final StripedWindow calm = new StripedWindow(WIDE, 3, 1, NOW, 0);
    private final Cached cached = new Cached();

    private long claim(int words) {
        long word = Window.NONE;
        for (int i = 0; i < words; i++) {
            word = calm.claim(cached);
            assertThat(word).isNotNegative();
        }
        return word;
    }

    @Test
    void aBusyTickReadsTheClockOncePerBlock() {
        claim(BUSY);
        assertThat(cached.readings).isEqualTo(BUSY);

        cached.readings = 0;
        claim(WORDS - BUSY);
        assertThat(cached.readings).isEqualTo((WORDS - BUSY) / BLOCK);
    }
}
