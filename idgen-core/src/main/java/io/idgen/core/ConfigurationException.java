package io.idgen.core;

/** idgen refuses to start: a setting, a name or a combination of settings is invalid. Nothing was opened. */
public class ConfigurationException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param code the error code
     * @param message the value, the rule and the way out, without the code
     */
    public ConfigurationException(ErrorCode code, String message) {
        super(code, message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param code the error code
     * @param message the value, the rule and the way out, without the code
     * @param cause the underlying error
     */
    public ConfigurationException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }

    @Override
    public ConfigurationException forCaller() {
        return new ConfigurationException(code(), text(), this);
    }
}
