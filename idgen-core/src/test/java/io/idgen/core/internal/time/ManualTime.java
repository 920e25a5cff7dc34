package io.idgen.core.internal.time;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Both clocks in the test's hand: they move when it says so, and as far as a generator parks. Safe for many threads.
 */
public final class ManualTime implements TimeSource {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Where a wait without end becomes a failure: for so many parks nobody moved the clocks. */
    private static final int TOO_MANY_PARKS = 1_000_000;

    private final Map<Integer, Runnable> atPark = new HashMap<>();
    private final Map<Integer, Runnable> atReading = new HashMap<>();
    private long millis;
    private long nanosOfMilli;
    // the monotonic clock begins shortly before its overflow, which it is allowed to
    private final long startNanos = Long.MAX_VALUE - 500_000;
    private long nanos = startNanos;
    private boolean frozen;
    private int parks;
    private int readings;
    private int parksAtLastMove;

    public ManualTime(Instant now) {
        millis = now.toEpochMilli();
    }

    @Override
    public synchronized long millis() {
        read();
        return millis;
    }

    @Override
    public synchronized long nanoTime() {
        read();
        return nanos;
    }

    @Override
    public synchronized void park(long parkNanos) {
        if (parkNanos <= 0 || ++parks > parksAtLastMove + TOO_MANY_PARKS) {
            throw new AssertionError("parked for " + parkNanos + " ns, for the " + parks + "th time");
        }
        if (!Thread.currentThread().isInterrupted()) {
            pass(parkNanos);
        }
        Runnable action = atPark.remove(parks);
        if (action != null) {
            action.run();
        }
    }

    /** Lets time pass on both clocks, on the wall only if it is not frozen. */
    public synchronized void advance(Duration by) {
        parksAtLastMove = parks;
        pass(by.toNanos());
    }

    /** Sets the wall clock forward, or back. */
    public synchronized void step(Duration by) {
        parksAtLastMove = parks;
        millis += by.toMillis();
    }

    /** Sets the wall clock. */
    public synchronized void set(Instant now) {
        parksAtLastMove = parks;
        millis = now.toEpochMilli();
        nanosOfMilli = 0;
    }

    /** Stops the wall clock, or lets it go on. */
    public synchronized void freeze(boolean newFrozen) {
        frozen = newFrozen;
    }

    /** Does something at the end of the n-th park from now, for example {@link #step}. */
    public synchronized void atPark(int n, Runnable action) {
        atPark.put(parks + n, action);
    }

    /** Does something right before the n-th reading of either clock from now, for example {@link #advance}. */
    public synchronized void atReading(int n, Runnable action) {
        atReading.put(readings + n, action);
    }

    private void read() {
        Runnable action = atReading.remove(++readings);
        if (action != null) {
            action.run();
        }
    }

    public synchronized int parks() {
        return parks;
    }

    public synchronized Instant now() {
        return Instant.ofEpochMilli(millis);
    }

    /** What has passed on the monotonic clock. */
    public synchronized Duration elapsed() {
        return Duration.ofNanos(nanos - startNanos);
    }

    private void pass(long passedNanos) {
        nanos += passedNanos;
        if (!frozen) {
            nanosOfMilli += passedNanos;
            millis += nanosOfMilli / NANOS_PER_MILLI;
            nanosOfMilli %= NANOS_PER_MILLI;
        }
    }
}
