package io.idgen.test;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates 1, 2, 3 and so on, so that a test knows its ids. For tests only: two objects generate equal ids, and so
 * does one after a restart. Safe for many threads; never waits.
 */
public final class CountingIds implements IdSource {
    private final AtomicLong next;
    private volatile boolean closed;

    /** Creates a source that starts at 1. */
    public CountingIds() {
        this(1);
    }

    /**
     * Creates a source that starts at a number.
     *
     * @param first the first id, at least 1
     * @throws IllegalArgumentException if it is below 1
     */
    public CountingIds(long first) {
        if (first < 1) {
            throw new IllegalArgumentException("the first id must be at least 1, got " + first);
        }
        next = new AtomicLong(first);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IdGenerationException if it is closed
     */
    @Override
    public long nextId() {
        if (closed) {
            throw new IdGenerationException(ErrorCode.SOURCE_CLOSED, "this source is closed; open another one");
        }
        return next.getAndIncrement();
    }

    @Override
    public OptionalLong tryNextId() {
        return OptionalLong.of(nextId());
    }

    @Override
    public void close() {
        closed = true;
    }
}
