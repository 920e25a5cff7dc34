package io.idgen.cli.compare;

/**
 * What one instance of a strategy hands out while it is measured. Keys of 64 bits take one word, keys of 128 bits two, so that
 * UUIDs are measured by the same loops as ids; they are no {@link io.idgen.core.IdSource}. Safe for many threads.
 */
interface Keys extends AutoCloseable {

    /** Puts the next key into an array, from an index on. */
    void next(long[] into, int at);

    @Override
    void close();
}
