package io.idgen.core;

import org.jspecify.annotations.Nullable;

/**
 * No id became available within the caller's timeout. Or the call did not wait that long: the store refuses
 * connections, too many calls wait already, or the thread was interrupted. A later call may succeed.
 */
public class IdUnavailableException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    private final String source;

    /**
     * Creates an exception; for implementations of {@link IdSource}.
     *
     * @param code the error code, for example {@link ErrorCode#IDS_UNAVAILABLE}
     * @param source the name of the source; for a snowflake the namespace of its worker id
     * @param message the value, the rule and the way out, without the code
     * @param lastError the last error of the database or another dependency of the source, or null
     */
    public IdUnavailableException(ErrorCode code, String source, String message, @Nullable Throwable lastError) {
        super(code, message, lastError);
        this.source = source;
    }

    @Override
    public IdUnavailableException forCaller() {
        return new IdUnavailableException(code(), source, text(), this);
    }

    /**
     * Returns the source that has no id.
     *
     * @return the name of the ids, or for a snowflake the namespace of its worker id
     */
    public String source() {
        return source;
    }
}
