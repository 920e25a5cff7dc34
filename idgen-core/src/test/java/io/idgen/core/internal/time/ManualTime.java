package io.idgen.core.internal.time;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * A wall clock and a monotonic clock that stand still until a test moves them or a generator parks. Safe for many
 * threads.
 */
public final class ManualTime implements TimeSource {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** After this many parks without a move by the test, an endless wait becomes a failure. */
    private static final int TOO_MANY_PARKS = 1_000_000;

    private final Map<Integer, Runnable> atPark = new HashMap<>();
    private final Map<Integer, Runnable> atReading = new HashMap<>();
    private long millis;
    private long nanosOfMilli;
    // the monotonic clock starts shortly before its overflow, which System.nanoTime allows
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

    /** Advances both clocks; the wall clock only if it is not frozen. */
    public synchronized void advance(Duration by) {
        parksAtLastMove = parks;
        pass(by.toNanos());
    }

    /** Steps the wall clock forward or back. */
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

    /** Stops the wall clock, or lets it continue. */
    public synchronized void freeze(boolean newFrozen) {
        frozen = newFrozen;
    }

    /** Runs an action at the end of the n-th park from now, for example {@link #step}. */
    public synchronized void atPark(int n, Runnable action) {
        atPark.put(parks + n, action);
    }

    /** Runs an action right before the n-th reading of either clock from now, for example {@link #advance}. */
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

    /** Returns how far the monotonic clock has advanced. */
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
