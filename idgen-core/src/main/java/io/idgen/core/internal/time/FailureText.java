package io.idgen.core.internal.time;

/** Describes failures in messages. */
public final class FailureText {
    private FailureText() {}

    /** Returns the message of a failure, or its class if it has none. */
    public static String of(Throwable failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
}
