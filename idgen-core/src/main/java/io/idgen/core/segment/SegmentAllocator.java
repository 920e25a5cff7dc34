package io.idgen.core.segment;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.time.Names;
import java.util.List;

/**
 * Reserves segments of ids in a place that all processes share, most often a table. {@link SegmentIdSource} turns an
 * allocator into a source. Only {@link #allocate} is abstract. Override the other methods if the allocator differs from
 * a table that grants segments of any size, each above the one before it.
 *
 * <p>The type of an exception decides what happens next:
 * <ul>
 *   <li>{@link StoreUnavailableException}: the store did not answer, or the outcome of the call is unknown. idgen calls
 *       the store again, with growing pauses, and callers wait until their timeout. Exceptions that do not come from
 *       idgen, such as those of a driver, count as the same.
 *   <li>Any other {@link IdGenerationException}: the store refuses. Callers get the refusal at once. For a short time,
 *       they get it without another transaction.
 *   <li>One with {@link ErrorCode#SEGMENT_WENT_BACK}: the store grants ids a second time. The source stops for good.
 * </ul>
 *
 * <p>A test that extends {@code SegmentAllocatorContract} of the module idgen-test checks an implementation.
 */
@FunctionalInterface
public interface SegmentAllocator {

    /** The longest name, in characters: {@value}. */
    int MAX_NAME_LENGTH = 128;

    /**
     * Reserves the next segment of ids for {@code name}; no other caller, thread or process receives any of them. It is
     * committed before this returns, independently of the caller's own transaction: a rollback leaves a gap, never a
     * duplicate. Blocks for one short transaction. Safe for many threads.
     *
     * @param name the name of the ids, as {@link #checkName} allows it
     * @param wanted how many ids the caller can use, at least 1; the segment may be shorter, or longer if the table
     *     determines its size
     * @return a segment of at least one id
     * @throws IllegalArgumentException if {@code wanted} is below 1
     * @throws StoreUnavailableException if the store does not answer, or it is unknown whether it reserved the segment
     * @throws AllocationException if the store refuses: the name has no row, or the limit is reached
     */
    Segment allocate(String name, int wanted);

    /**
     * Takes back unused ids, unless ids above them were allocated since; then they are a gap. Called once and never
     * repeated: after an unknown outcome, a repetition could take back ids that belong to another process by then.
     * Blocks for one short transaction per segment. Does nothing if not overridden.
     *
     * @param name the name of the ids
     * @param newestFirst unused rests of segments that {@link #allocate} returned, the highest first
     * @throws StoreUnavailableException if the store does not answer; ids that it did not take back are a gap
     */
    default void handBack(String name, List<Segment> newestFirst) {}

    /**
     * Discards ids that the allocator has fetched in advance and keeps in memory: this process may be copied, with
     * them. Does not block. Does nothing if not overridden.
     *
     * @param name the name of the ids
     */
    default void forget(String name) {}

    /**
     * Returns whether ids are allocated only for calls that wait for them, never ahead. A source then requests as many
     * ids as the waiting calls lack at that moment.
     *
     * @return false if not overridden: a source keeps a segment in reserve
     */
    default boolean isOnDemand() {
        return false;
    }

    /**
     * Returns whether each segment of a name lies above all earlier ones. Then a segment that does not shows that the
     * table went back.
     *
     * @return true if not overridden
     */
    default boolean isRising() {
        return true;
    }

    /**
     * Returns the limit, which all ids are below.
     *
     * @return {@link Long#MAX_VALUE} if not overridden
     */
    default long limit() {
        return Long.MAX_VALUE;
    }

    /**
     * Checks a name. It has 1 to {@value #MAX_NAME_LENGTH} characters, no control or format characters, no half
     * of a surrogate pair, and no white space at its ends, which some databases ignore and others do not.
     *
     * @param name the name to check
     * @return the name
     * @throws IllegalArgumentException if it breaks the rule
     */
    static String checkName(String name) {
        return Names.check("a name", name, MAX_NAME_LENGTH);
    }
}
