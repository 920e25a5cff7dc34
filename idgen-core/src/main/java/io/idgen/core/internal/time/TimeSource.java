package io.idgen.core.internal.time;

import java.time.Clock;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;

/** The wall clock, the monotonic clock and waiting. Tests replace all three by virtual time. */
public interface TimeSource {
    // Short enough to lose little of the next tick, long enough to leave the core to other threads.
    long POLL_NANOS = 125_000;

    /** The wall clock in milliseconds since 1970-01-01T00:00Z; it may step in either direction. */
    long millis();

    /** The monotonic clock in nanoseconds since an arbitrary time; it never falls. */
    long nanoTime();

    /** The nanoseconds until the wall clock's next millisecond, above 0; a short time if the clock does not know. */
    default long nanosToNextMilli() {
        return POLL_NANOS;
    }

    /** Waits for about this long, or until the thread is interrupted; the interrupt stays set. */
    void park(long nanos);

    /** Creates a condition of a lock, whose timeouts use the monotonic clock. */
    default LockCondition condition(ReentrantLock lock) {
        return LockCondition.of(lock);
    }

    /** Identifies the wall clock: equal for two time sources that read the same one. */
    default Object identity() {
        return this;
    }

    /**
     * Returns a time source with the given wall clock; two with one clock are equal. The JDK has several objects for
     * the clock of the system; for each of them this returns {@link CautiousTime#SYSTEM}.
     */
    static TimeSource of(InstantSource clock) {
        boolean isSystem = clock.equals(InstantSource.system())
                || clock.equals(Clock.systemUTC())
                || clock.equals(Clock.systemDefaultZone()); // the last, because it loads the time zones of the JDK
        return isSystem ? CautiousTime.SYSTEM : new ClockTime(clock);
    }
}
