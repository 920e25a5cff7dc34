package io.idgen.core.segment;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck explores all interleavings of a few threads that take ids from blocks. No id may be taken twice. A block
 * that all threads share shows that Lincheck finds duplicates.
 */
@Tag("nightly")
class ThreadBlocksLincheckTest {

    /** Records the ids that were taken. */
    abstract static class Taken {
        final AtomicLong shared = new AtomicLong(1);
        private final Set<Long> taken = ConcurrentHashMap.newKeySet(64); // large enough that it is never resized

        long from(ThreadBlocks.ThreadBlock block) {
            long id = block.take();
            if (id == ThreadBlocks.ThreadBlock.EMPTY) {
                block.fill(shared.getAndAdd(2), 2, 1);
                id = block.take();
            }
            return id;
        }

        boolean isNew(long id) {
            return taken.add(id);
        }
    }

    /** The specification: each id is new. */
    public static class EachIsNew {
        @Operation
        public boolean next() {
            return true;
        }
    }

    /** All threads select one slot, so all but one have no block. */
    public static class OneSlot extends Taken {
        private final ThreadBlocks blocks = new ThreadBlocks(1);

        @Operation
        public boolean next() {
            ThreadBlocks.ThreadBlock mine = blocks.mine();
            return isNew(mine == null ? shared.getAndIncrement() : from(mine));
        }
    }

    /** Nearly every thread selects a slot of its own. */
    public static class ManySlots extends Taken {
        private final ThreadBlocks blocks = new ThreadBlocks();

        @Operation
        public boolean next() {
            ThreadBlocks.ThreadBlock mine = blocks.mine();
            return isNew(mine == null ? shared.getAndIncrement() : from(mine));
        }
    }

    /** All threads share one block, whichever thread created it. */
    public static class NobodysBlock extends Taken {
        private final ThreadBlocks.ThreadBlock block = Objects.requireNonNull(new ThreadBlocks(1).mine());

        @Operation
        public boolean next() {
            return isNew(from(block));
        }
    }

    private static void check(Class<?> variant) {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(3)
                .iterations(20)
                .invocationsPerIteration(2_000)
                .sequentialSpecification(EachIsNew.class)
                .check(variant);
    }

    @Test
    void oneSlotReturnsNoIdTwice() {
        check(OneSlot.class);
    }

    @Test
    void manySlotsReturnNoIdTwice() {
        check(ManySlots.class);
    }

    @Test
    void aBlockThatIsNotOnesOwnIsCaught() {
        assertThrows(LincheckAssertionError.class, () -> check(NobodysBlock.class));
    }
}
