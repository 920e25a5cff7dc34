package io.idgen.core.internal.time;

import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/** A given wall clock, with the monotonic clock and the waiting of the JVM. */
public record ClockTime(InstantSource clock) implements TimeSource {
    @Override
    public long millis() {
        return clock.millis();
    }

    @Override
    public long nanosToNextMilli() {
        long passed = clock.instant().getNano() % 1_000_000;
        return passed == 0 ? POLL_NANOS : 1_000_000 - passed; // the clock probably has a resolution of milliseconds
    }

    @Override
    public Object identity() {
        return clock;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void park(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }
}
