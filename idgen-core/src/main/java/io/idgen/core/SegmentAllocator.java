package io.idgen.core;

/**
 * Reserves runs of ids where all processes can see it, most often in a table. A new way to share ids out is a new allocator;
 * {@link SegmentIdSource} makes a source of any.
 */
@FunctionalInterface
public interface SegmentAllocator {

    /** The longest name, in characters: {@value}. */
    int MAX_NAME_LENGTH = 128;

    /**
     * Reserves the next run of ids for {@code name}; no other caller, thread or process receives any of them. Committed before
     * this returns, whatever becomes of the caller's own transaction: a rollback leaves a gap, never a duplicate. Runs of one
     * name rise. Blocks for one short transaction. Safe for many threads.
     *
     * @param name what the ids are for, at most {@value #MAX_NAME_LENGTH} characters
     * @param wanted how many ids the caller can use, at least 1; the run may be shorter, never longer
     * @return a run of 1 to {@code wanted} ids
     * @throws AllocationException if the name has no row, the limit is reached, or the database does not answer
     */
    Segment allocate(String name, int wanted);
}
