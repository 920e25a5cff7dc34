package io.idgen.core.layout;

import java.time.Instant;

/**
 * The fields of a Snowflake id.
 *
 * @param time the start of the id's tick, in UTC; not null
 * @param datacenter the datacenter id, 0 or above; 0 if the layout has no such field
 * @param worker the worker id within the datacenter, 0 or above
 * @param sequence the number of the id within its tick, from 0
 */
public record SnowflakeParts(Instant time, int datacenter, int worker, int sequence) {

    /**
     * Checks that no part is negative. {@link SnowflakeLayout#compose} checks whether the parts fit in a
     * layout.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public SnowflakeParts {
        if (datacenter < 0 || worker < 0 || sequence < 0) {
            throw new IllegalArgumentException("parts of an id are never negative, got datacenter " + datacenter
                    + ", worker " + worker + ", sequence " + sequence);
        }
    }
}
