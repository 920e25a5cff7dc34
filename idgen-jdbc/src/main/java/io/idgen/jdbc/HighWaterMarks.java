package io.idgen.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How far this process has raised the row of each name. Until the process hands ids back, the row stays at its mark or above
 * it: a row below its mark was restored, truncated or edited. Safe for many threads.
 */
final class HighWaterMarks {
    /** The mark of a row that this process has not raised yet: the first id. */
    static final long NONE = 1;

    private final Map<String, AtomicLong> marks = new ConcurrentHashMap<>();

    /**
     * The mark of a name, which rises with each allocation. It is the same object until {@link #drop}: a row that was read
     * may only be compared with a mark that was taken before and is still the same afterwards.
     */
    AtomicLong of(String name) {
        return marks.computeIfAbsent(name, any -> new AtomicLong(NONE));
    }

    /** This process has raised the row of a name to {@code next}. */
    void raise(String name, long next) {
        of(name).accumulateAndGet(next, Math::max);
    }

    /** This process is about to hand ids back. Others may take them, and may then hand back ids below them as well. */
    void drop(String name) {
        marks.remove(name);
    }
}
