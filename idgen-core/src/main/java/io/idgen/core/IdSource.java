package io.idgen.core;

import org.jspecify.annotations.Nullable;

/**
 * Gives ids that are unique within the source's name: positive {@code long}s, ready before any SQL runs.
 *
 * <p>Two calls never return the same id, whichever threads they come from; what holds beyond this process (and after a
 * restart) is said by the implementation. Ids may have gaps. Safe for many threads. Failures are {@link
 * IdGenerationException}s: no id is given out when in doubt.
 */
public interface IdSource extends AutoCloseable {

    /** The largest number of ids that one call of {@link #nextIds} gives: {@value}. */
    int MAX_BATCH = 1_000_000;

    /**
     * Gives the next id. Usually without I/O and without waiting; the implementation says on what it may wait and for how
     * long at most.
     *
     * @return an id above 0
     * @throws IdGenerationException if there is none to be had in time, or the source is closed
     */
    long nextId();

    /**
     * Gives {@code count} ids at once, in the order in which single calls would have given them. Usually cheaper than that
     * many calls. If it throws, the ids it had already taken are lost: a gap, never a duplicate.
     *
     * @param count how many, 1 to {@value #MAX_BATCH}
     * @return exactly {@code count} different ids, a new array
     * @throws IllegalArgumentException if {@code count} is out of range
     * @throws IdGenerationException if they are not to be had in time, or the source is closed
     */
    default long[] nextIds(int count) {
        checkBatch(count);
        long[] ids = new long[count];
        for (int i = 0; i < count; i++) {
            ids[i] = nextId();
        }
        return ids;
    }

    /**
     * Fetches now what the first id would have to wait for, so that it need not; for applications that would rather fail at
     * their start. Does nothing where nothing is to be fetched. No id is given out.
     *
     * @throws IdGenerationException if it is not to be had in time, or the source is closed
     */
    default void warmUp() {}

    /**
     * What this source has and waits for at this moment, for meters and health checks. Takes no lock and does no I/O. Safe for many
     * threads, and after {@link #close} too.
     *
     * @return null if not overridden
     */
    default @Nullable SourceSnapshot snapshot() {
        return null;
    }

    /**
     * Ends this source: calls that come later fail with {@link ErrorCode#SOURCE_CLOSED}. Closing twice is harmless. A
     * source that came from {@link io.idgen.core.config.IdSources} is closed by it and may be shared; close the {@code
     * IdSources} instead.
     */
    @Override
    void close();

    /**
     * Refuses a batch size that {@link #nextIds} does not take.
     *
     * @param count the size to check
     * @throws IllegalArgumentException if {@code count} is not 1 to {@value #MAX_BATCH}
     */
    static void checkBatch(int count) {
        if (count < 1 || count > MAX_BATCH) {
            throw new IllegalArgumentException(
                    "count must be 1 to " + MAX_BATCH + ", got " + count + "; ask for more in several calls");
        }
    }
}
