package io.idgen.proof;

import java.util.Locale;

/** A source of ids in each process. The controls lack one protection. */
enum Source {
    SNOWFLAKE(false),
    COUNTER(false),
    /** Leases a worker id, and takes each refusal of the store for a grant. */
    CONTROL_SNOWFLAKE(true),
    /** Does not notice that another server has taken over. */
    CONTROL_COUNTER(true);

    final boolean control;

    Source(boolean control) {
        this.control = control;
    }

    /** Whether a store that only has leases lacks it. */
    boolean isCounter() {
        return this == COUNTER || this == CONTROL_COUNTER;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
