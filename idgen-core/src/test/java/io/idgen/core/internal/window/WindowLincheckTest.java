package io.idgen.core.internal.window;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck interleaves the windows' accesses to memory in all ways that few threads and calls allow, under clocks that
 * read anything: no word may be claimed twice. Broken variants show that it would be found.
 */
@Tag("lincheck")
class WindowLincheckTest {

    /** Two sequences a tick, so that full ticks are the rule. */
    private static final SnowflakeLayout TINY =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(1), 61, 0, 1, 1);

    /** Two blocks a tick. */
    private static final SnowflakeLayout BLOCKS =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(1), 56, 0, 0, 7);

    /** What has been claimed, and whether a word was not among it. */
    abstract static class Claims {
        private final Set<Long> claimed =
                ConcurrentHashMap.newKeySet(64); // more than there are claims, so it is never resized

        boolean isNew(long word) {
            return word < 0 || claimed.add(word);
        }
    }

    /** What is promised: each claim gives a word that is new, or none. */
    public static class EachIsNew {
        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return true;
        }

        @Operation
        public boolean claimBatch(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return true;
        }
    }

    public static class Rising extends Claims {
        private final Window window = new RisingWindow(TINY, 0, 1, 1, 1);

        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return isNew(window.claim(() -> tick));
        }
    }

    public static class Striped extends Claims {
        private final StripedWindow window = new StripedWindow(BLOCKS, 0, 1, 1, 1);

        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return isNew(window.claim(() -> tick));
        }

        @Operation
        public boolean claimBatch(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return isNew(window.claim(() -> tick, 1));
        }
    }

    /** A stripe that threads share, read and written instead of compared and set. */
    public static class NotAtomicStripe extends Claims {
        private final RisingWindow window = new RisingWindow(BLOCKS, 0, 1, 1, 1);
        private volatile long last = -1;

        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            long next = last + 1;
            if ((next & 63) == 0) {
                next = window.claim(() -> tick, 64);
            }
            last = next;
            return isNew(next);
        }

        @Operation
        public boolean claimBatch(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return isNew(window.claim(() -> tick, 1));
        }
    }

    public static class Ring extends Claims {
        private final Window window = new RingWindow(TINY, 0, 1, 1, 2);

        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return isNew(window.claim(() -> tick));
        }
    }

    /** The step of the rising word, read and written instead of compared and set. */
    public static class NotAtomic extends Claims {
        private final AtomicLong word = new AtomicLong(1);

        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            long next = Math.max(word.get() + 1, (long) tick << 1);
            word.set(next);
            return isNew(next);
        }
    }

    /** The ring as it was published: a slot's word goes on from its last, out of a full tick into the next one's. */
    public static class PublishedRing extends Claims {
        private final AtomicLong[] slots = {new AtomicLong(-1), new AtomicLong(-1)};

        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            AtomicLong slot = slots[tick % 2];
            return isNew(slot.updateAndGet(last -> Math.max(last + 1, (long) tick << 1)));
        }
    }

    private static void check(Class<?> variant) {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(3)
                .iterations(30)
                .invocationsPerIteration(2_000)
                .sequentialSpecification(EachIsNew.class)
                .check(variant);
    }

    @Test
    void theRisingWordGivesNoWordTwice() {
        check(Rising.class);
    }

    @Test
    void blocksOfARisingWordGiveNoWordTwice() {
        check(Striped.class);
    }

    @Test
    void theRingGivesNoWordTwice() {
        check(Ring.class);
    }

    @Test
    void aWordThatIsReadAndThenWrittenIsCaught() {
        assertThrows(LincheckAssertionError.class, () -> check(NotAtomic.class));
    }

    @Test
    void aStripeThatIsReadAndThenWrittenIsCaught() {
        assertThrows(LincheckAssertionError.class, () -> check(NotAtomicStripe.class));
    }

    @Test
    void theRingAsPublishedIsCaught() {
        assertThrows(LincheckAssertionError.class, () -> check(PublishedRing.class));
    }
}
