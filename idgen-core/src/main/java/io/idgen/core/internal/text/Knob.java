package io.idgen.core.internal.text;

/**
 * An option that a message advises a user to change. It has two names, that of the setting and that of the builder's
 * method. An object that settings created advises {@code Knob::setting}, any other {@code Knob::method}, since only
 * that name has an effect.
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
