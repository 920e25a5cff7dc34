package io.idgen.cli.common;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.time.Instant;
import java.util.Arrays;

/** The first ids of a tick: for tests and for range queries by time, not for new rows. */
public final class FirstIds {
    private FirstIds() {}

    /**
     * Returns the first ids of one worker in the tick of a given time. The same arguments always give the same ids.
     *
     * @param layout the layout of the ids
     * @param moment a time in the layout's range
     * @param datacenter the datacenter id
     * @param worker the worker id
     * @param count how many, at most the ids of a tick
     * @return ascending ids
     * @throws IllegalArgumentException if a tick has fewer ids, or a value does not fit in the layout
     */
    public static long[] at(SnowflakeLayout layout, Instant moment, int datacenter, int worker, int count) {
        if (count > layout.idsPerTick()) {
            throw new IllegalArgumentException("a tick of layout " + layout + " has " + layout.idsPerTick()
                    + " ids of one worker, got " + count + "; request fewer ids, or omit the time");
        }
        long[] ids = new long[count];
        Arrays.setAll(ids, sequence -> layout.compose(new SnowflakeParts(moment, datacenter, worker, sequence)));
        return ids;
    }
}
