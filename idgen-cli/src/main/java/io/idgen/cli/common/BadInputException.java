package io.idgen.cli.common;

/** Thrown for invalid user input. The message is one line with the value, the rule, and the way out. */
public final class BadInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param message value, rule and way out
     */
    public BadInputException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause, which {@code --verbose} shows.
     *
     * @param message value, rule and way out
     * @param cause the cause
     */
    public BadInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
