package io.idgen.cli.doctor;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The largest id of a namespace in all tables. It shows how far a repair can lower horizons.
 *
 * @param id the id, above 0
 * @param end the end of its tick: the lowest horizon that a repair may write
 * @param column the column that contains it; null if the caller has named the id itself
 */
record LargestId(long id, Instant end, @Nullable String column) {

    /**
     * Decodes the time of an id.
     *
     * @param layout the layout of the ids
     * @param id the largest id
     * @param column the column that contains it, for messages; null if the caller has named the id itself
     * @return the id with the end of its tick
     * @throws AllocationException if it is not above 0: then it shows nothing
     * @throws IllegalArgumentException if the layout has no such id
     */
    static LargestId of(SnowflakeLayout layout, long id, @Nullable String column) {
        if (id <= 0) {
            throw new AllocationException(
                    ErrorCode.START_UNKNOWN,
                    (column == null ? "the largest id is " + id : "there is no id in " + column)
                            + ", so nothing shows how far horizons can be lowered; name all columns that contain ids of"
                            + " the namespace, or the largest id in them; nothing was changed");
        }
        return new LargestId(id, layout.parse(id).time().plus(layout.tick()), column);
    }

    /**
     * Throws if the id has a time in the future. Such an id is not of this layout, or the clock is behind; processes
     * would have to wait until then.
     *
     * @param now the time of the store's clock
     * @throws AllocationException if {@link #end} is after that time
     */
    void refuseIfAfter(Instant now) {
        if (end.isAfter(now)) {
            throw new AllocationException(
                    ErrorCode.HORIZON_FAR,
                    "the largest id" + (column == null ? "" : " in " + column) + ", " + id + ", has the time "
                            + NamespaceUse.time(end) + ", and the store's clock is at " + NamespaceUse.time(now)
                            + ": horizons are not lowered to a time in the future; correct the clock if it is behind,"
                            + (column == null
                                    ? " leave the id out if it is not"
                                    : " leave the column out if its ids are not")
                            + " of this namespace and layout, or wait until then and repair again; nothing was changed");
        }
    }
}
