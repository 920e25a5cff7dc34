package io.idgen.core.internal.text;

/**
 * What a message advises a user to change, by both of its names: that of the setting and that of the builder's method. An object
 * advises the name that has an effect where the object came from: {@code Knob::setting} if settings have made it, else {@code
 * Knob::method}.
 */
public enum Knob {
    WORKER_ID("idgen.worker.id", "Snowflake.Builder.workerId"),
    CLOCK_POLICY("idgen.snowflake.clock-policy", "Snowflake.Builder.clockPolicy"),
    SEGMENT_STEP("idgen.segment.step", "SegmentIdSource.Builder.step"),
    MAX_WAITERS("idgen.segment.max-waiters", "SegmentIdSource.Builder.maxWaiters");

    private final String setting;
    private final String method;

    Knob(String setting, String method) {
        this.setting = setting;
        this.method = method;
    }

    public String setting() {
        return setting;
    }

    public String method() {
        return method;
    }
}
