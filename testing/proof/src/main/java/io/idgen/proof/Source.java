package io.idgen.proof;

import java.util.EnumSet;
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

    /** Returns the sources of a process whose store has this address. */
    static Set<Source> on(String url) {
        if (!Addresses.isSql(url)) {
            return EnumSet.of(SNOWFLAKE, CONTROL_SNOWFLAKE);
        }
        Set<Source> all = EnumSet.allOf(Source.class);
        if (url.startsWith("jdbc:h2:")) {
            all.remove(FUNCTION); // idgen has none for H2
        }
        return all;
    }

    /** Whether it is a control that repeats ids under these faults. */
    boolean mustRepeat(Set<Fault> faults) {
        return this == CONTROL_SNOWFLAKE
                || (this == CONTROL_COUNTER && faults.stream().anyMatch(Fault::goesBack));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
