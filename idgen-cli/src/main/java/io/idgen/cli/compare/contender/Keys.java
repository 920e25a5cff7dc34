package io.idgen.cli.compare.contender;

/**
 * An instance of a strategy while it is measured. Keys of 64 bits take one word, keys of 128 bits two. So the same
 * loops measure ids and UUIDs, although UUIDs are not an {@link io.idgen.core.IdSource}. Safe for many threads.
 */
@FunctionalInterface
public interface Keys extends AutoCloseable {

    /** Writes the next key into an array, starting at an index. */
    void next(long[] into, int at);

    /** Does nothing, unless the instance has something to close. */
    @Override
    default void close() {}
}
