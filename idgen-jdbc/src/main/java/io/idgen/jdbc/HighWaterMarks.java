package io.idgen.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The high-water mark of each name: how far this process has raised its row. Until the process hands ids back, the row
 * stays at or above its mark. A row below its mark was restored, truncated or edited. Safe for many threads.
 */
final class HighWaterMarks {
    /** The mark of a row that this process has not raised yet: the first id. */
    static final long NONE = 1;

    private final Map<String, AtomicLong> marks = new ConcurrentHashMap<>();

    /**
     * The mark of a name; each allocation raises it. The object stays the same until {@link #drop}. Compare a row only
     * with a mark that was read before the row and is the same object afterwards.
     */
    AtomicLong of(String name) {
        return marks.computeIfAbsent(name, any -> new AtomicLong(NONE));
    }

    /** Records that this process has raised the row of a name to {@code next}. */
    void raise(String name, long next) {
        of(name).accumulateAndGet(next, Math::max);
    }

    /**
     * Forgets the mark before this process hands ids back. Other processes may take these ids, and may then hand back
     * ids below them.
     */
    void drop(String name) {
        marks.remove(name);
    }
}
