package io.idgen.core.segment;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of ids that belong to single threads. Taking an id from the thread's own block needs no atomic step, and no
 * cache line that other cores write to. In return, ids of several threads are not in order, and the rest of an
 * abandoned block is lost.
 *
 * <p>The id of a thread selects its slot, so there are never more blocks than slots. Only its owner reads and writes a
 * block, without synchronisation. If the slot belongs to another thread, a thread has no block. When the other thread
 * has ended, it takes over the block and its remaining ids.
 */
final class ThreadBlocks {
    /** Few enough to keep the ids in blocks a small part of a segment, enough for the busy threads of a large host. */
    static final int SLOTS = 64;

    private final AtomicReferenceArray<@Nullable ThreadBlock> slots;
    private volatile boolean closed;

    /** Creates empty slots. */
    ThreadBlocks() {
        this(SLOTS);
    }

    /** Creates empty slots; their number is a power of two. */
    ThreadBlocks(int slots) {
        this.slots = new AtomicReferenceArray<>(slots);
    }

    /** The ids of one thread. */
    static final class ThreadBlock {
        /** No id is left. */
        static final long EMPTY = -1;

        // Padding on either side against false sharing; processors prefetch cache lines in pairs.
        private static final int LINE_PAIR = 16;
        private static final int NEXT = LINE_PAIR;
        private static final int LEFT = LINE_PAIR + 1;
        private static final int STRIDE = LINE_PAIR + 2;

        private final WeakReference<Thread> owner; // weak, so that a dead thread can be garbage-collected
        private final long[] numbers;

        private ThreadBlock(Thread owner, long[] numbers) {
            this.owner = new WeakReference<>(owner);
            this.numbers = numbers;
        }

        /** Takes the next id, or returns {@link #EMPTY}. Only the owner calls this. */
        long take() {
            long left = numbers[LEFT];
            if (left == 0) {
                return EMPTY;
            }
            long id = numbers[NEXT];
            numbers[LEFT] = left - 1;
            numbers[NEXT] = id + numbers[STRIDE];
            return id;
        }

        /** Replaces the ids of this block. Only the owner calls this. */
        void fill(long first, int count, int stride) {
            numbers[NEXT] = first;
            numbers[LEFT] = count;
            numbers[STRIDE] = stride;
        }
    }

    /**
     * Returns the block of the calling thread, at first an empty one. Null if its slot belongs to another thread, or
     * after {@link #close}.
     */
    @Nullable
    ThreadBlock mine() {
        if (closed) {
            return null;
        }
        Thread thread = Thread.currentThread();
        int slot = (int) thread.getId() & (slots.length() - 1);
        ThreadBlock block = slots.get(slot);
        return block != null && block.owner.refersTo(thread) ? block : claim(slot, block, thread);
    }

    /** Ends all blocks. Their remaining ids are lost. */
    void close() {
        closed = true;
    }

    /** Begins with empty blocks after {@link #close}. */
    void reopen() {
        for (int i = 0; i < slots.length(); i++) {
            slots.set(i, null);
        }
        closed = false;
    }

    private @Nullable ThreadBlock claim(int slot, @Nullable ThreadBlock before, Thread thread) {
        ThreadBlock block;
        if (before == null) {
            block = new ThreadBlock(thread, new long[2 * ThreadBlock.LINE_PAIR + 3]);
        } else {
            Thread owner = before.owner.get();
            if (owner == null) {
                // discards the ids, because the last writes of the collected owner may not be visible
                block = new ThreadBlock(thread, new long[2 * ThreadBlock.LINE_PAIR + 3]);
            } else if (owner.isAlive()) {
                return null;
            } else {
                block = new ThreadBlock(thread, before.numbers);
            }
        }
        return slots.compareAndSet(slot, before, block) ? block : null;
    }
}
