package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.SnowflakeAccess;
import io.idgen.test.internal.ParallelThreads;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that claim words as fast as they can. */
class WindowTest {
    private static final int THREADS = 4;
    private static final SnowflakeLayout WIDE = SnowflakeLayout.parse("41-1-3-18");
    private static final long NOW = 1_000_000;

    /** The window for layouts with fewer ids per tick. With this layout, the policies create windows with blocks. */
    private static final String RISING = "rising";

    private static Window window(String policy) {
        return policy.equals(RISING)
                ? new RisingWindow(WIDE, 0, 1, NOW, 0)
                : SnowflakeAccess.window(ClockPolicy.parse(policy), WIDE, 0, 1, NOW);
    }

    /**
     * Returns the same tick always. Sometimes yields, so that a rising window, which reads the clock in the middle of a
     * claim, loses some races.
     */
    private static long now() {
        if (ThreadLocalRandom.current().nextInt(16) == 0) {
            Thread.yield();
        }
        return NOW;
    }

    @ParameterizedTest
    @ValueSource(strings = {RISING, "fail", "wait:5ms", "reuse:2"})
    void everyWordOfATickIsClaimedOnce(String policy) throws Exception {
        Window window = window(policy);

        List<long[]> claimed = ParallelThreads.run(THREADS, thread -> {
            long[] words = new long[(int) WIDE.idsPerTick()];
            int count = 0;
            for (int round = thread; count < words.length; round++) {
                if (round % 10 == 0) {
                    int wanted = Math.min(50, words.length - count);
                    long first = window.claim(WindowTest::now, wanted);
                    if (first == Window.NONE) {
                        continue; // single claims may still find words in their thread's block
                    }
                    for (int i = 0; i < window.claimed(first, wanted); i++) {
                        words[count++] = first + i;
                    }
                } else {
                    long word = window.claim(WindowTest::now);
                    if (word == Window.NONE || word >>> 18 > NOW) {
                        break;
                    }
                    words[count++] = word;
                }
            }
            return Arrays.copyOf(words, count);
        });

        long[] ofTick = claimed.stream()
                .flatMapToLong(Arrays::stream)
                .filter(word -> word >>> 18 == NOW)
                .sorted()
                .toArray();
        ParallelThreads.assertDistinct(claimed);
        if (window instanceof StripedWindow) { // a batch abandons the rest of the thread's block
            assertThat(ofTick.length).isBetween((int) WIDE.idsPerTick() / 3, (int) WIDE.idsPerTick());
        } else {
            assertThat(ofTick.length).isEqualTo((int) WIDE.idsPerTick());
        }
        assertThat(ofTick[0]).isEqualTo(NOW << 18);
    }

    @ParameterizedTest
    @ValueSource(strings = {RISING, "fail", "reuse:2", "reuse:64"})
    void nothingIsClaimedAboveTheWordThatIsTheHighestAfterSealing(String policy) throws Exception {
        for (int round = 0; round < 20; round++) {
            Window window = window(policy);

            List<long[]> claimed = ParallelThreads.run(THREADS, thread -> {
                if (thread == 0) {
                    window.seal();
                    return new long[] {window.highestEver()};
                }
                return LongStream.generate(() -> window.claim(WindowTest::now))
                        .limit(10_000)
                        .takeWhile(word -> word != Window.SEALED)
                        .toArray();
            });

            long sealed = claimed.get(0)[0];
            ParallelThreads.assertDistinct(claimed.subList(1, THREADS));
            assertThat(claimed.subList(1, THREADS))
                    .allSatisfy(words -> assertThat(Arrays.stream(words).max().orElse(sealed))
                            .isLessThanOrEqualTo(sealed));
            assertThat(window.claim(WindowTest::now)).isEqualTo(Window.SEALED);
            assertThat(window.claim(WindowTest::now, 3)).isEqualTo(Window.SEALED);
            window.seal();
            assertThat(window.highestEver()).isEqualTo(sealed);
        }
    }

    @Test
    void theStartOfATickIsTheSequenceOfItsFirstWord() {
        SnowflakeLayout layout = SnowflakeLayout.IDGEN;
        Window window = new RisingWindow(layout, 0, Window.startOffsets(layout), NOW, 0);

        for (long tick = NOW; tick < NOW + 100; tick++) {
            assertThat(Window.startOf(layout, layout.epoch().plusMillis(tick)))
                    .isEqualTo((int) (window.firstWordOf(tick) & 4095));
        }
    }

    @Test
    void aRaceThatIsLostAtTheEndOfAWindowGivesNothingBeyondIt() {
        Window window = new RisingWindow(WIDE, 0, 1, NOW, 10);
        window.endAt(NOW + 1);
        int all = (int) WIDE.idsPerTick();
        AtomicBoolean raced = new AtomicBoolean();

        long word = window.claim(() -> {
            if (!raced.getAndSet(true)) { // another thread claims all other words while this one reads the clock
                assertThat(window.claim(() -> NOW, all)).isEqualTo(NOW << 18);
                assertThat(window.claim(() -> NOW, all)).isEqualTo((NOW + 1) << 18);
            }
            return NOW;
        });

        assertThat(word).isEqualTo(Window.NONE);
        assertThat(window.highest() >>> 18).isEqualTo(NOW + 1);
    }
}
