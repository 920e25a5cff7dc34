package io.idgen.core.internal.block;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of ids that threads have taken ahead of their next calls: an id of one's own block costs neither an atomic step nor a
 * line of the cache that other cores write to. The price is the order between threads, and that a block that its thread leaves
 * unused is lost.
 *
 * <p>A block lies in the slot that its thread's number falls on, so there are as many as slots at most, however many threads come
 * and go. Only its owner touches it, by plain reads and writes. A thread whose slot is another's goes without a block, until that
 * one has ended: then it takes over what is left.
 */
public final class ThreadBlocks {
    /** So few that what is in blocks is little beside a segment; so many that the busy threads of a large host have one each. */
    public static final int SLOTS = 64;

    private final AtomicReferenceArray<@Nullable Block> slots;
    private volatile boolean closed;

    /** None yet. */
    public ThreadBlocks() {
        this(SLOTS);
    }

    /** With so many slots, a power of two. */
    ThreadBlocks(int slots) {
        this.slots = new AtomicReferenceArray<>(slots);
    }

    /** Ids of one thread. */
    public static final class Block {
        /** No id is left. */
        public static final long EMPTY = -1;

        // Longs on either side of the numbers, so that no other thread's writes share a line, or the pair of it, with
        // them.
        private static final int LINE_PAIR = 16;
        private static final int NEXT = LINE_PAIR;
        private static final int LEFT = LINE_PAIR + 1;
        private static final int STRIDE = LINE_PAIR + 2;

        private final WeakReference<Thread> owner; // a dead thread is not kept from the garbage collector
        private final long[] numbers;

        private Block(Thread owner, long[] numbers) {
            this.owner = new WeakReference<>(owner);
            this.numbers = numbers;
        }

        /** The id that {@link #take} would give, or {@link #EMPTY}. Called by the owner. */
        public long next() {
            return numbers[LEFT] == 0 ? EMPTY : numbers[NEXT];
        }

        /** The next id, or {@link #EMPTY}. Called by the owner. */
        public long take() {
            long left = numbers[LEFT];
            if (left == 0) {
                return EMPTY;
            }
            long id = numbers[NEXT];
            numbers[LEFT] = left - 1;
            numbers[NEXT] = id + numbers[STRIDE];
            return id;
        }

        /** Has it go on with these ids, whatever is left of others. Called by the owner. */
        public void fill(long first, int count, int stride) {
            numbers[NEXT] = first;
            numbers[LEFT] = count;
            numbers[STRIDE] = stride;
        }
    }

    /** The block of the thread that calls, an empty one at first; or null if its slot is another's, or all are closed. */
    @Nullable
    public Block mine() {
        if (closed) {
            return null;
        }
        Thread thread = Thread.currentThread();
        int slot = (int) thread.getId() & (slots.length() - 1);
        Block block = slots.get(slot);
        return block != null && block.owner.refersTo(thread) ? block : claim(slot, block, thread);
    }

    /** Whatever is left in blocks is lost. */
    public void close() {
        closed = true;
    }

    private @Nullable Block claim(int slot, @Nullable Block before, Thread thread) {
        Block block;
        if (before == null) {
            block = new Block(thread, new long[2 * Block.LINE_PAIR + 3]);
        } else {
            Thread owner = before.owner.get();
            if (owner == null) {
                // not its numbers: nothing says that what it wrote last is seen
                block = new Block(thread, new long[2 * Block.LINE_PAIR + 3]);
            } else if (owner.isAlive()) {
                return null;
            } else {
                block = new Block(thread, before.numbers);
            }
        }
        return slots.compareAndSet(slot, before, block) ? block : null;
    }
}
