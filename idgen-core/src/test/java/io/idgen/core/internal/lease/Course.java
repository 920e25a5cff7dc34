package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.VirtualTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The course of events of one seed: its virtual time, its random numbers, the rate of failing statements, and the last
 * events. The first violation ends it.
 */
public final class Course {
    public static final long MILLI = 1_000_000;
    private static final int TRACED = 150;

    private final SplittableRandom random;
    private final VirtualTime time = new VirtualTime();
    private final long endNanos;
    private final boolean traced;
    private final Deque<String> trace = new ArrayDeque<>();
    private @Nullable String violation;
    private double faults;
    private long unreachableUntil;

    public Course(long seed, long endNanos, boolean traced) {
        this.random = new SplittableRandom(seed);
        this.endNanos = endNanos;
        this.traced = traced;
    }

    public SplittableRandom random() {
        return random;
    }

    public VirtualTime time() {
        return time;
    }

    /** Runs all events until the end or the first violation. */
    public void run() {
        time.passTo(endNanos);
    }

    public boolean isOver() {
        return violation != null || time.nanoTime() > endNanos;
    }

    /** Returns a random duration below this many milliseconds, in nanoseconds. */
    public long millisBelow(int below) {
        return random.nextLong(below * MILLI);
    }

    /** Returns the proportion of statements that fail. */
    public double faults() {
        return faults;
    }

    public void setFaults(double newFaults) {
        faults = newFaults;
    }

    /** Cuts all processes off from the database until then. */
    public void cutOffUntil(long nanos) {
        unreachableUntil = nanos;
    }

    long unreachableUntil() {
        return unreachableUntil;
    }

    /** Records an event, if the course is traced. */
    public void log(Supplier<String> text) {
        if (traced && violation == null) {
            trace.add(String.format("%10.3f s  %s", time.nanoTime() / 1e9, text.get()));
            if (trace.size() > TRACED) {
                trace.remove();
            }
        }
    }

    public void violated(Supplier<String> text) {
        if (violation == null) {
            log(() -> "VIOLATION: " + text.get());
            violation = text.get();
            time.stop();
        }
    }

    @Nullable
    public String violation() {
        return violation;
    }

    /** Returns the last events, one per line. */
    public String trace() {
        return String.join(System.lineSeparator(), trace);
    }
}
