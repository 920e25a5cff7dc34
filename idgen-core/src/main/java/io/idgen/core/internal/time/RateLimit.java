package io.idgen.core.internal.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Allows an action at most once in a period of the monotonic clock. Safe for many threads. */
public final class RateLimit {
    private final TimeSource time;
    private final long periodNanos;
    private final AtomicLong lastNanos;

    public RateLimit(Duration period, TimeSource time) {
        this.time = time;
        this.periodNanos = period.toNanos();
        this.lastNanos = new AtomicLong(time.nanoTime() - periodNanos);
    }

    /** Returns whether the action is allowed now; if so, it is not allowed again for a period. */
    public boolean allows() {
        long now = time.nanoTime();
        long last = lastNanos.get();
        return now - last >= periodNanos && lastNanos.compareAndSet(last, now);
    }
}
