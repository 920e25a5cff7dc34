package io.idgen.core.internal.task;

import io.idgen.core.SourceSnapshot;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the calls that wait, and how long they do. Safe for many threads. */
public final class WaitCounter {
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong totalNanos = new AtomicLong();

    /** Counts a call that has to wait, which may be in several stretches. */
    public void called() {
        calls.incrementAndGet();
    }

    /** A stretch of waiting begins. */
    public void begin() {
        waiting.incrementAndGet();
    }

    /** A stretch of waiting ends. */
    public void end(long nanos) {
        waiting.decrementAndGet();
        totalNanos.addAndGet(nanos);
    }

    /** How many wait now. */
    public int waiting() {
        return waiting.get();
    }

    public SourceSnapshot.Waits snapshot() {
        return new SourceSnapshot.Waits(waiting.get(), calls.get(), Duration.ofNanos(totalNanos.get()));
    }
}
