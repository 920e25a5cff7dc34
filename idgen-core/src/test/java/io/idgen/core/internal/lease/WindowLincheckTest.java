package io.idgen.core.internal.lease;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck explores all interleavings of the windows' memory accesses by a few threads, under clocks that may read
 * anything. No word may be claimed twice. Broken variants show that Lincheck finds duplicates.
 */
@Tag("nightly")
class WindowLincheckTest {

    /** Two sequences per tick, so that most ticks are full. */
    private static final SnowflakeLayout TINY =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(1), 61, 0, 1, 1);

    /** Two blocks per tick. */
    private static final SnowflakeLayout BLOCKS =
            new SnowflakeLayout(SnowflakeLayout.IDGEN.epoch(), Duration.ofMillis(1), 56, 0, 0, 7);

    /** Records the words that were claimed. */
    abstract static class Claims {
        private final Set<Long> claimed =
                ConcurrentHashMap.newKeySet(64); // more than there are claims, so it is never resized

        private volatile boolean sealed;

        boolean isNew(long word) {
            return word < 0 || claimed.add(word);
        }

        /** Returns whether a claim gives a new word, and none if the window was sealed before. */
        boolean isNew(LongSupplier claim) {
            boolean before = sealed;
            long word = claim.getAsLong();
            return isNew(word) && !(before && word >= 0);
        }

        boolean sealed(Runnable seal) {
            seal.run();
            sealed = true;
            return true;
        }
    }

    /** The specification: each claim returns a new word, or none. */
    public static class EachIsNew {
        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return true;
        }

        @Operation
        public boolean claimBatch(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return true;
        }

        @Operation
        public boolean seal() {
            return true;
        }
    }

    public static class Rising extends Claims {
        private final Window window = new RisingWindow(TINY, 0, 1, 1, 1);

        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return isNew(() -> window.claim(() -> tick));
        }

        @Operation
        public boolean seal() {
            return sealed(window::seal);
        }
    }

    public static class Striped extends Claims {
        private final StripedWindow window = new StripedWindow(BLOCKS, 0, 1, 1, 1);

        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return isNew(() -> window.claim(() -> tick));
        }

        @Operation
        public boolean claimBatch(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return isNew(() -> window.claim(() -> tick, 1));
        }

        @Operation
        public boolean seal() {
            return sealed(window::seal);
        }
    }

    /** Broken: a stripe that threads share is read and written without compare-and-set. */
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
        private final Window window = new RingSlots(TINY, 0, 1, 1, 2);

        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            return isNew(() -> window.claim(() -> tick));
        }

        @Operation
        public boolean seal() {
            return sealed(window::seal);
        }
    }

    /** Broken: the rising word is read and written without compare-and-set. */
    public static class NotAtomic extends Claims {
        private final AtomicLong word = new AtomicLong(1);

        @Operation
        public boolean claim(@Param(gen = IntGen.class, conf = "1:4") int tick) {
            long next = Math.max(word.get() + 1, (long) tick << 1);
            word.set(next);
            return isNew(next);
        }
    }

    /**
     * Broken: the published ring. A slot continues after its last word, and carries from a full tick into the next one.
     */
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
                .loopBound(100) // a seal writes each of the 64 stripes
                .sequentialSpecification(EachIsNew.class)
                .check(variant);
    }

    @Test
    void theRisingWindowClaimsNoWordTwice() {
        check(Rising.class);
    }

    @Test
    void theStripedWindowClaimsNoWordTwice() {
        check(Striped.class);
    }

    @Test
    void theRingClaimsNoWordTwice() {
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
