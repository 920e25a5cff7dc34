package io.idgen.core.lease;

import io.idgen.core.internal.text.Characters;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;

/**
 * One result of an examination of a store, for a person on call.
 *
 * @param level how urgent it is
 * @param subject what was examined, in one or two words
 * @param text what was found; above {@link Level#OK}, also what to do
 */
public record Finding(Level level, String subject, String text) {

    /** How urgent a finding is, the least urgent first. */
    public enum Level {
        /** No action is needed. */
        OK,
        /** Nothing is wrong yet. Act before it is. */
        WARN,
        /** Processes get no ids, or ids can be wrong. Act now. */
        WRONG
    }

    /** With a larger difference, a generator without a lease puts wrong times into its ids. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

    /** Checks that nothing is null. Escapes characters with which a name in a row could forge a line of a report. */
    public Finding {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(subject, "subject");
        text = Characters.line(text);
    }

    /**
     * Compares this host's clock with that of a store. A difference that the round trip explains is no finding.
     *
     * @param whose the owner of the other clock, for example {@code the database's}
     * @param time what the other clock showed
     * @param before this host's time before the request
     * @param after this host's time after the answer
     * @return a warning if the clocks differ by more than a second
     */
    public static Finding ofClocks(String whose, Instant time, Instant before, Instant after) {
        Duration trip = Duration.between(before, after);
        long aheadMillis =
                Duration.between(time, before.plus(trip.dividedBy(2))).toMillis();
        boolean good = Math.abs(aheadMillis) - trip.toMillis() <= CLOCK_TOLERANCE.toMillis();
        return new Finding(
                good ? Level.OK : Level.WARN,
                "clock",
                "this host's clock is " + Math.abs(aheadMillis) + " ms " + (aheadMillis < 0 ? "behind" : "ahead of")
                        + " " + whose + ", to within " + trip.toMillis() + " ms"
                        + (good ? "" : "; correct one of the clocks before you run generators without a lease here"));
    }

    /**
     * Returns the most urgent level of several findings.
     *
     * @param findings any number of findings
     * @return {@link Level#OK} if there are none
     */
    public static Level worst(Collection<Finding> findings) {
        return findings.stream().map(Finding::level).max(Level::compareTo).orElse(Level.OK);
    }
}
