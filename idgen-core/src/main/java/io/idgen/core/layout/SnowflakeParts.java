package io.idgen.core.layout;

import java.time.Instant;
import java.util.Objects;

/**
 * What a snowflake id says: when and where it was made, and as which one of its tick.
 *
 * @param time the start of the tick in which the id was made, in UTC
 * @param datacenter the datacenter id, 0 where the layout has no such field
 * @param worker the worker id within the datacenter
 * @param sequence the number within the tick, from 0
 */
public record SnowflakeParts(Instant time, int datacenter, int worker, int sequence) {

    /** Refuses null and negative parts; what a layout has room for is checked by {@link SnowflakeLayout#compose}. */
    public SnowflakeParts {
        Objects.requireNonNull(time, "time");
        if (datacenter < 0 || worker < 0 || sequence < 0) {
            throw new IllegalArgumentException("parts of an id are never negative, got datacenter " + datacenter
                    + ", worker " + worker + ", sequence " + sequence);
        }
    }
}
