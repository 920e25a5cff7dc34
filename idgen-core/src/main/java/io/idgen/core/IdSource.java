package io.idgen.core;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Generates unique positive {@code long} ids, before any SQL runs.
 *
 * <p>Two calls never return the same id, whichever threads make them. Ids of one source name are unique; each
 * implementation documents how far that holds across processes and restarts. Ids may have gaps. If uniqueness is in
 * doubt, a call throws instead of returning an id. All failures are {@link IdGenerationException}s. Safe for many
 * threads.
 *
 * <p>A test that extends {@code IdSourceContract} of the module idgen-test checks an implementation.
 */
public interface IdSource extends AutoCloseable {

    /** The largest number of ids that one call of {@code nextIds} returns: {@value}. */
    int MAX_BATCH = 1_000_000;

    /**
     * Generates the next id. The call usually neither does I/O nor waits. Each implementation documents what a call may
     * wait for, and how long at most.
     *
     * @return an id above 0
     * @throws IdGenerationException if no id becomes available in time, or the source is closed
     */
    long nextId();

    /**
     * Generates the next id if one is in memory, and otherwise none. Never waits and does no I/O. Use {@link
     * AsyncIds} to wait for an id without blocking a thread.
     *
     * @return an id above 0; empty if {@link #nextId} might have to wait, and always if not overridden
     * @throws IdGenerationException if the source is closed, or refuses
     */
    default OptionalLong tryNextId() {
        return OptionalLong.empty();
    }

    /**
     * Generates {@code count} ids, in the order in which single calls would return them. One call is usually cheaper
     * than {@code count} calls of {@link #nextId}. If it throws, the ids that it has already taken are a gap, never a
     * duplicate.
     *
     * @param count how many ids, 1 to {@value #MAX_BATCH}
     * @return a new array of exactly {@code count} different ids
     * @throws IllegalArgumentException if {@code count} is out of range
     * @throws IdGenerationException if the ids do not become available in time, or the source is closed
     */
    default long[] nextIds(int count) {
        checkBatch(count);
        long[] ids = new long[count];
        nextIds(ids, 0, count);
        return ids;
    }

    /**
     * Generates {@code count} ids as {@link #nextIds(int)} does, and writes them into an array of the caller. Use it to
     * fill one array again and again: the sources of idgen allocate nothing here, unless they have to wait. If it
     * throws because the ids do not become available, the elements from {@code from} on are undefined, and the ids that
     * it has already taken are a gap.
     *
     * @param into receives the ids; the other elements stay as they are
     * @param from the index of the first id
     * @param count how many ids, 1 to {@value #MAX_BATCH}
     * @throws IllegalArgumentException if {@code count} is out of range
     * @throws IndexOutOfBoundsException if the array does not reach from {@code from} on for {@code count} ids
     * @throws IdGenerationException if the ids do not become available in time, or the source is closed
     */
    default void nextIds(long[] into, int from, int count) {
        checkBatch(into, from, count);
        for (int i = 0; i < count; i++) {
            into[from + i] = nextId();
        }
    }

    /**
     * Fetches in advance what the first id needs, so that the first {@link #nextId} does not wait. Call it if the
     * application should fail at start rather than at its first id. It issues no id. Sources that fetch nothing do
     * nothing here.
     *
     * @throws IdGenerationException if the fetch does not complete in time, or the source is closed
     */
    default void warmUp() {}

    /**
     * Returns the present state of this source, for meters and health checks. Takes no lock and does no I/O. Safe for
     * many threads, and also after {@link #close}.
     *
     * @return the state, or null if the implementation does not provide one
     */
    default @Nullable SourceSnapshot snapshot() {
        return null;
    }

    /**
     * Closes this source. Later calls fail with {@link ErrorCode#SOURCE_CLOSED}. Closing twice has no effect. Do not
     * close a source that comes from {@link io.idgen.core.config.IdSources}, since others may share it; close the
     * {@code IdSources} instead.
     */
    @Override
    void close();

    /**
     * Closes as {@link #close} does, but does not wait. {@link io.idgen.core.config.IdSources} closes all its sources
     * at once and then waits for them with one deadline. Calls {@link #close} if not overridden.
     *
     * @return completes when the source has handed back its ids and worker ids, or has failed to do so
     */
    default CompletableFuture<?> closeAsync() {
        close();
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Checks a batch size for {@link #nextIds(int)}.
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

    /**
     * Checks the arguments of {@link #nextIds(long[], int, int)}.
     *
     * @param into the array
     * @param from the index of the first id
     * @param count the size to check
     * @throws IllegalArgumentException if {@code count} is not 1 to {@value #MAX_BATCH}
     * @throws IndexOutOfBoundsException if the array does not reach from {@code from} on for {@code count} ids
     */
    static void checkBatch(long[] into, int from, int count) {
        checkBatch(count);
        Objects.checkFromIndexSize(from, count, into.length);
    }
}
