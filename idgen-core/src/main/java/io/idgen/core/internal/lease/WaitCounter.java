package io.idgen.core.internal.lease;

import io.idgen.core.SourceSnapshot;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the calls that wait, and how long they wait. Safe for many threads. */
public final class WaitCounter {
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong totalNanos = new AtomicLong();

    /** Counts a call that has to wait, once even if it waits several times. */
    public void called() {
        calls.incrementAndGet();
    }

    /** Begins a wait. */
    public void begin() {
        waiting.incrementAndGet();
    }

    /** Ends a wait. */
    public void end(long nanos) {
        waiting.decrementAndGet();
        totalNanos.addAndGet(nanos);
    }

    /** Returns how many calls wait now. */
    public int waiting() {
        return waiting.get();
    }

    public SourceSnapshot.Waits snapshot() {
        return new SourceSnapshot.Waits(waiting.get(), calls.get(), Duration.ofNanos(totalNanos.get()));
    }
}
