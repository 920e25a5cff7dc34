package io.idgen.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test sets or advances it. Safe for many threads. */
public final class ManualClock implements InstantSource {
    private final AtomicReference<Instant> now;

    /**
     * A clock that shows a time.
     *
     * @param now the time it shows
     */
    public ManualClock(Instant now) {
        this.now = new AtomicReference<>(Objects.requireNonNull(now));
    }

    /**
     * A clock that shows a time, given as a text.
     *
     * @param now the time it shows, for example {@code 2026-01-01T00:00:00Z}
     * @throws java.time.format.DateTimeParseException if the text is not an instant
     */
    public ManualClock(String now) {
        this(Instant.parse(now));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    /**
     * Sets the time.
     *
     * @param newNow the time it shows from now on; it may lie before the present one
     */
    public void set(Instant newNow) {
        now.set(Objects.requireNonNull(newNow));
    }

    /**
     * Advances the time.
     *
     * @param by by how much; a negative duration sets the clock back
     */
    public void advance(Duration by) {
        now.updateAndGet(instant -> instant.plus(by));
    }

    /** The time it shows. */
    @Override
    public String toString() {
        return "manual clock at " + now.get();
    }
}
