package io.idgen.core.segment;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.text.Characters;
import java.util.List;

/**
 * Reserves runs of ids where all processes can see it, most often in a table. A new way to share ids out is a new
 * allocator; {@link SegmentIdSource} makes a source of any. Only {@link #allocate} must be written; the rest says how
 * it differs from a table that gives any run that is wanted, each above the last.
 *
 * <p>The type of an exception decides what happens next:
 * <ul>
 *   <li>{@link StoreUnavailableException}: the store did not answer, or it is not known what it did. idgen asks again
 *       with growing pauses, and callers wait for that until their timeout. Exceptions that are not of idgen, such as
 *       those of a driver, count as the same.
 *   <li>Any other {@link IdGenerationException}: the store refuses. Callers get the refusal at once, and for a short
 *       time without another transaction.
 *   <li>One with {@link ErrorCode#SEGMENT_WENT_BACK}: the store gives ids a second time. The source stops for good.
 * </ul>
 *
 * <p>A test that extends {@code SegmentAllocatorContract} of the module idgen-test checks an implementation.
 */
@FunctionalInterface
public interface SegmentAllocator {

    /** The longest name, in characters: {@value}. */
    int MAX_NAME_LENGTH = 128;

    /**
     * Reserves the next run of ids for {@code name}; no other caller, thread or process receives any of them. Committed
     * before this returns, whatever becomes of the caller's own transaction: a rollback leaves a gap, never a
     * duplicate. Blocks for one short transaction. Safe for many threads.
     *
     * @param name what the ids are for, as {@link #checkName} allows it
     * @param wanted how many ids the caller can use, at least 1; the run may be shorter, and longer where the table
     *     says so
     * @return a run of at least one id
     * @throws IllegalArgumentException if {@code wanted} is below 1
     * @throws StoreUnavailableException if the store does not answer, or it is not known whether it reserved the run
     * @throws AllocationException if the store refuses: the name has no row, or the limit is reached
     */
    Segment allocate(String name, int wanted);

    /**
     * Takes back ids that were never used, if nothing was allocated above them meanwhile; otherwise they are a gap. To
     * be called once and never repeated: repeated after an unknown outcome, it could take back ids that are another's
     * by now. Blocks for one short transaction per run.
     *
     * @param name what the ids were for
     * @param newestFirst the ends of runs that {@link #allocate} gave, the highest first, with no id of them given out
     * @throws StoreUnavailableException if the store does not answer; ids that it did not take back are a gap
     */
    default void handBack(String name, List<Segment> newestFirst) {}

    /**
     * Whether the size of a run is the database's own and not the caller's choice: then ids are fetched when they are
     * asked for, neither ahead nor more of them, so that one statement per id stays that.
     *
     * @return false if not said
     */
    default boolean isFixed() {
        return false;
    }

    /**
     * Whether each run of a name lies above all before it, so that one that does not shows a table that went back in
     * time.
     *
     * @return true if not said
     */
    default boolean isRising() {
        return true;
    }

    /**
     * The number that all ids are below.
     *
     * @return {@link Long#MAX_VALUE} if not said
     */
    default long limit() {
        return Long.MAX_VALUE;
    }

    /**
     * Refuses what cannot be a name: it must be 1 to {@value #MAX_NAME_LENGTH} characters, without control and format
     * characters, and without white space around it, which some databases ignore and others do not.
     *
     * @param name the name to check
     * @return the same
     * @throws IllegalArgumentException if it breaks the rule
     */
    static String checkName(String name) {
        if (name.isEmpty()
                || name.length() > MAX_NAME_LENGTH
                || !name.strip().equals(name)
                || name.chars().anyMatch(Characters::isHidden)) {
            throw new IllegalArgumentException("a name is 1 to " + MAX_NAME_LENGTH
                    + " characters, none of them a control character, with no white space around it; got '"
                    + Characters.line(name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH)))
                    + "' (" + name.length() + " characters)");
        }
        return name;
    }
}
