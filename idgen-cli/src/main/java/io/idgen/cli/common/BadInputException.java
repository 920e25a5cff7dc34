package io.idgen.cli.common;

/** What the user gave cannot be worked with. The message is one line: what it was, the rule, and what to do. */
public final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A refusal.
     *
     * @param message value, rule and way out
     */
    public BadInputException(String message) {
        super(message);
    }

    /**
     * A refusal with a cause, which {@code --verbose} shows.
     *
     * @param message value, rule and way out
     * @param cause what led to it
     */
    public BadInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
