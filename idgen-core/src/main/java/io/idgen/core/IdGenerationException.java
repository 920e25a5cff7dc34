package io.idgen.core;

import io.idgen.core.internal.text.Characters;

/**
 * Why there is no id: the one family of exceptions that idgen throws while it runs or starts.
 *
 * <p>The message begins with the code, and says what happened, the values with their units, the rule, and what to try.
 * Control characters of quoted values are escaped.
 */
public class IdGenerationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String text;

    /**
     * An exception without a cause of its own.
     *
     * @param code what has happened
     * @param message value, rule and way out
     */
    public IdGenerationException(ErrorCode code, String message) {
        super(code.code() + ": " + Characters.lines(message));
        this.code = code;
        this.text = message;
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
        this.text = message;
    }

    /**
     * The same for one more caller: with the stack of the thread that calls this, and this exception as its cause. Never throw one
     * exception to several callers: its stack is that of the thread that met it first.
     *
     * @return a new exception, for the calling thread to throw
     */
    public IdGenerationException forCaller() {
        return new IdGenerationException(code, text, this);
    }

    /** The message without the code. */
    final String text() {
        return text;
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
