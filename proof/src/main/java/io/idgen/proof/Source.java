package io.idgen.proof;

import java.util.Locale;
import java.util.Set;

/** A source of ids in each process. The controls lack one protection. */
enum Source {
    SNOWFLAKE(false),
    COUNTER(false),
    /** The SQL function, which takes each id in a statement of its own. */
    FUNCTION(false),
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
        return this == COUNTER || this == FUNCTION || this == CONTROL_COUNTER;
    }

    /** Whether it is a control that repeats ids under these faults. */
    boolean mustRepeat(Set<Fault> faults) {
        return this == CONTROL_SNOWFLAKE || (this == CONTROL_COUNTER && faults.contains(Fault.TAKEOVER));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
