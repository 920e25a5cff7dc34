package io.idgen.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;

/** A clock that stands still until a test sets or advances it. Safe for many threads. */
public final class ManualClock implements InstantSource {
    private volatile Instant now;

    /**
     * Creates a clock that shows a time.
     *
     * @param now the time it shows
     */
    public ManualClock(Instant now) {
        this.now = Objects.requireNonNull(now);
    }

    /**
     * Creates a clock that shows a time, given as a text.
     *
     * @param now the time it shows, for example {@code 2026-01-01T00:00:00Z}
     * @throws java.time.format.DateTimeParseException if the text is not an instant
     */
    public ManualClock(String now) {
        this(Instant.parse(now));
    }

    @Override
    public Instant instant() {
        return now;
    }

    /**
     * Sets the time.
     *
     * @param newNow the time it shows from now on; it may lie before the present one
     */
    public synchronized void set(Instant newNow) {
        now = Objects.requireNonNull(newNow);
    }

    /**
     * Advances the time.
     *
     * @param by the duration; a negative one sets the clock back
     */
    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    /** Returns the time it shows. */
    @Override
    public String toString() {
        return "manual clock at " + now;
    }
}
