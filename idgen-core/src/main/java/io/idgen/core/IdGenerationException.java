package io.idgen.core;

import io.idgen.core.internal.time.Characters;
import org.jspecify.annotations.Nullable;

/**
 * The base class of the exceptions that idgen throws at start and at run time.
 *
 * <p>The message begins with the code. It states what happened, the values with their units, the rule, and what to do.
 * Control characters in quoted values are escaped.
 */
public class IdGenerationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String text;

    /**
     * Creates an exception without a cause.
     *
     * @param code the error code
     * @param message the value, the rule and the way out, without the code
     */
    public IdGenerationException(ErrorCode code, String message) {
        this(code, message, null);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param code the error code
     * @param message the value, the rule and the way out, without the code
     * @param cause the underlying error; null if there is none
     */
    public IdGenerationException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(code.code() + ": " + Characters.lines(message), cause);
        this.code = code;
        this.text = message;
    }

    /**
     * Returns a copy for one more caller. It has the stack trace of the calling thread, and this exception as its
     * cause. Never throw one exception object to several callers: its stack trace is that of the first thread only.
     *
     * @return a new exception of the same class, for the calling thread to throw
     */
    public IdGenerationException forCaller() {
        return new IdGenerationException(code, text, this);
    }

    /**
     * Returns the message without the code.
     *
     * @return the value, the rule and the way out
     */
    public final String text() {
        return text;
    }

    /**
     * Returns the error code, which is stable across versions.
     *
     * @return the code
     */
    public ErrorCode code() {
        return code;
    }
}
