package io.idgen.core;

import java.time.Clock;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/** The wall clock, the monotonic clock and waiting, in one place, so that a test can hold all three in its hand. */
interface TimeSource {

    /** This machine's. */
    TimeSource SYSTEM = new Machine(Clock.systemUTC());

    /** Milliseconds since 1970-01-01T00:00Z, as the wall clock says; may step in either direction. */
    long millis();

    /** Nanoseconds since some moment; never falls. */
    long nanoTime();

    /** Waits for about this long, less if the thread is interrupted; the interrupt stays set. */
    void park(long nanos);

    /** The given wall clock with this machine's waiting; two of one clock are equal. */
    static TimeSource of(InstantSource clock) {
        return clock.equals(Clock.systemUTC()) ? SYSTEM : new Machine(clock);
    }

    /** A wall clock, and the JVM for the rest. */
    record Machine(InstantSource clock) implements TimeSource {
        @Override
        public long millis() {
            return clock.millis();
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
}
