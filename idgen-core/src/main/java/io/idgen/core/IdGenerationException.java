package io.idgen.core;

import io.idgen.core.internal.Characters;

/**
 * Why there is no id: the one family of exceptions that idgen throws while it runs or starts.
 *
 * <p>The message begins with the code, and says what happened, the values with their units, the rule, and what to try.
 * Control characters of quoted values are escaped.
 */
public class IdGenerationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /**
     * An exception without a cause of its own.
     *
     * @param code what has happened
     * @param message value, rule and way out
     */
    public IdGenerationException(ErrorCode code, String message) {
        super(code.code() + ": " + Characters.lines(message));
        this.code = code;
    }

    /**
     * An exception with a cause.
     *
     * @param code what has happened
     * @param message value, rule and way out
     * @param cause what led to it
     */
    public IdGenerationException(ErrorCode code, String message, Throwable cause) {
        super(code.code() + ": " + Characters.lines(message), cause);
        this.code = code;
    }

    /**
     * The stable code.
     *
     * @return what has happened
     */
    public ErrorCode code() {
        return code;
    }
}
