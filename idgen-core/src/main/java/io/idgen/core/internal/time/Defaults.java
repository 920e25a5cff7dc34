package io.idgen.core.internal.time;

import java.time.Duration;

/** Default values that a setting and a builder share, as settings write them. */
public final class Defaults {
    public static final String ACQUIRE_TIMEOUT = "3s";
    public static final String CLOCK_POLICY = "wait:5ms";
    public static final String LAYOUT = "idgen";
    public static final String NAMESPACE = "default";
    public static final String WORKER_TIMEOUT = "30s";

    /** The columns of the lease tables have this length. */
    public static final int LONGEST_NAMESPACE = 64;

    /** A layout that ends within this time is a warning: moving a table's ids to another layout takes planning. */
    public static final Duration END_IN_SIGHT = Duration.ofDays(5 * 365);

    private Defaults() {}
}
