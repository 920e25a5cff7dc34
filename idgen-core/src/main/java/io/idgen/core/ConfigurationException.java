package io.idgen.core;

/** A start that was refused: a setting, a name or a combination that cannot be right. Nothing was opened. */
public class ConfigurationException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    /**
     * A refusal.
     *
     * @param code what is wrong
     * @param message value, rule and way out
     */
    public ConfigurationException(ErrorCode code, String message) {
        super(code, message);
    }

    /**
     * A refusal with a cause.
     *
     * @param code what is wrong
     * @param message value, rule and way out
     * @param cause what led to it
     */
    public ConfigurationException(ErrorCode code, String message, Throwable cause) {
        super(code, message, cause);
    }

    @Override
    public ConfigurationException forCaller() {
        return new ConfigurationException(code(), text(), this);
    }
}
