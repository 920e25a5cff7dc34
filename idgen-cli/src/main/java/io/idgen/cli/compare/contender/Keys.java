package io.idgen.cli.compare.contender;

/**
 * An instance of a kind while it is measured. Keys of 64 bits take one word, keys of 128 bits two, so the same loops
 * measure ids and UUIDs. Safe for many threads.
 */
@FunctionalInterface
public interface Keys extends AutoCloseable {

    /** Writes the next key into an array, starting at an index. */
    void next(long[] into, int at);

    @Override
    default void close() {}
}
