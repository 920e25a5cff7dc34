package io.idgen.core.internal.time;

import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The wall clock, the monotonic clock and waiting. A test replaces all three by virtual time. */
public interface TimeSource {
    // Short enough to lose little of the tick that is waited for, long enough to leave the core to others.
    long POLL_NANOS = 125_000;

    /** Milliseconds since 1970-01-01T00:00Z, as the wall clock says; may step in either direction. */
    long millis();

    /** Nanoseconds since some moment; never falls. */
    long nanoTime();

    /** How long until the wall clock's next millisecond, above 0; a short turn where the clock does not say. */
    default long nanosToNextMilli() {
        return POLL_NANOS;
    }

    /** Waits for about this long, less if the thread is interrupted; the interrupt stays set. */
    void park(long nanos);

    /** A condition of a lock, whose waits end by the monotonic clock. */
    default Condition condition(ReentrantLock lock) {
        return lock.newCondition();
    }

    /** The clock itself, equal for two that read the same one. */
    default Object identity() {
        return this;
    }

    /**
     * The given wall clock with this host's waiting; two of one clock are equal. The JDK has several names for the
     * system's clock; each of them is {@link CautiousTime#SYSTEM}.
     */
    static TimeSource of(InstantSource clock) {
        List<InstantSource> system = List.of(InstantSource.system(), Clock.systemUTC(), Clock.systemDefaultZone());
        return system.contains(clock) ? CautiousTime.SYSTEM : new ClockTime(clock);
    }
}
