package io.idgen.core.internal.text;

/** What a failure says of itself. */
public final class FailureText {
    private FailureText() {}

    /** What a failure says of itself: its message, or its class if it has none. */
    public static String of(Throwable failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
}
