package io.idgen.core.internal.window;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.Snowflake;
import java.time.Duration;
import java.util.function.LongFunction;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Replaces a window by another one, as a renewal of a leased worker id does, while two threads claim a word each. */
@State
public class Swap {
    private static final long NOW = 1;
    static final long AHEAD_TICKS = 10;

    /** Two sequences per tick, so that most ticks are full. */
    static final SnowflakeLayout TINY =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(1), 61, 0, 1, 1);

    private final LongFunction<Window> windows;
    final Window old;
    volatile Window current;
    final Claimed first;
    final Claimed second;

    /** The word that a thread has claimed, and its window. */
    final class Claimed {
        private Window window = current;
        private long word = Window.NONE;

        /** Claims a word as {@link Snowflake#nextId} does. */
        void claim() {
            do {
                window = current;
                word = Swap.claim(window);
            } while (word < 0);
        }

        boolean isOld() {
            return window == old;
        }
    }

    public Swap() {
        this(TINY, Swap::window);
    }

    /** Creates a swap of windows; the function gets the first tick of a window. */
    Swap(SnowflakeLayout layout, LongFunction<Window> windows) {
        this.windows = windows;
        this.old = windows.apply(NOW);
        this.current = old;
        this.first = new Claimed();
        this.second = new Claimed();
        // the next word of the old window is the first of a tick, as that of the new one is
        old.claim(() -> NOW, (int) layout.idsPerTick());
    }

    static Window window(long firstTick) {
        return new RisingWindow(TINY, 0, 1, firstTick, AHEAD_TICKS);
    }

    static long claim(Window window) {
        return window.claim(() -> NOW);
    }

    /** Replaces the window in the correct order. */
    void swapSealed() {
        old.seal();
        current = windows.apply(old.highestTick() + 1);
    }

    /** Replaces the window, and leaves the old one open for threads that still use it. */
    void swapOpen() {
        current = windows.apply(old.highestTick() + 1);
    }

    /** Reports the window of each word, and any violation. */
    void tell(LL_Result result) {
        result.r1 = first.isOld() ? "old" : "new";
        result.r2 = second.isOld() ? "old" : "new";
        if (first.word == second.word) {
            result.r1 = "the same word";
            result.r2 = "twice";
        } else if (first.isOld() != second.isOld() && first.isOld() != (first.word < second.word)) {
            result.r1 = "a word of the old window";
            result.r2 = "above one of the new";
        }
    }
}
