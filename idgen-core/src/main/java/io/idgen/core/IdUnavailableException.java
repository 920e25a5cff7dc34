package io.idgen.core;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** No id could be had within the caller's time; it may be worth trying again later. */
public class IdUnavailableException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    private final String source;
    private final Duration outage;

    IdUnavailableException(
            ErrorCode code, String source, Duration outage, String message, @Nullable Throwable lastError) {
        super(code, message);
        if (lastError != null) {
            initCause(lastError);
        }
        this.source = source;
        this.outage = outage;
    }

    /**
     * The source that has no id.
     *
     * @return its name
     */
    public String source() {
        return source;
    }

    /**
     * For how long what the source depends on has been failing.
     *
     * @return zero if it is only slow
     */
    public Duration outage() {
        return outage;
    }
}
