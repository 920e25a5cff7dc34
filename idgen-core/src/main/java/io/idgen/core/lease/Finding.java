package io.idgen.core.lease;

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

    /** Checks that nothing is null. */
    public Finding {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(text, "text");
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
