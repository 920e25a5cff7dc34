package io.idgen.core.internal.block;

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
 * Lincheck interleaves threads that take ids out of blocks in all ways that few threads and calls allow: no id may be
 * taken twice. A block that all use shows that it would be found.
 */
@Tag("lincheck")
class ThreadBlocksLincheckTest {

    /** What has been taken, and whether an id was not among it. */
    abstract static class Taken {
        final AtomicLong shared = new AtomicLong(1);
        private final Set<Long> taken = ConcurrentHashMap.newKeySet(64); // which does not grow

        long from(ThreadBlocks.Block block) {
            long id = block.take();
            if (id == ThreadBlocks.Block.EMPTY) {
                block.fill(shared.getAndAdd(2), 2, 1);
                id = block.take();
            }
            return id;
        }

        boolean isNew(long id) {
            return taken.add(id);
        }
    }

    /** What is promised: each id is new. */
    public static class EachIsNew {
        @Operation
        public boolean next() {
            return true;
        }
    }

    /** All threads fall on one slot, and all but one go without a block. */
    public static class OneSlot extends Taken {
        private final ThreadBlocks blocks = new ThreadBlocks(1);

        @Operation
        public boolean next() {
            ThreadBlocks.Block mine = blocks.mine();
            return isNew(mine == null ? shared.getAndIncrement() : from(mine));
        }
    }

    /** Each thread falls on a slot of its own, or nearly. */
    public static class ManySlots extends Taken {
        private final ThreadBlocks blocks = new ThreadBlocks();

        @Operation
        public boolean next() {
            ThreadBlocks.Block mine = blocks.mine();
            return isNew(mine == null ? shared.getAndIncrement() : from(mine));
        }
    }

    /** One block for all, whoever made it. */
    public static class NobodysBlock extends Taken {
        private final ThreadBlocks.Block block = Objects.requireNonNull(new ThreadBlocks(1).mine());

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
    void oneSlotGivesNoIdTwice() {
        check(OneSlot.class);
    }

    @Test
    void manySlotsGiveNoIdTwice() {
        check(ManySlots.class);
    }

    @Test
    void aBlockThatIsNotOnesOwnIsCaught() {
        assertThrows(LincheckAssertionError.class, () -> check(NobodysBlock.class));
    }
}
