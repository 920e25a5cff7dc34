package io.idgen.cli.doctor;

import io.idgen.jdbc.internal.sql.CounterTable;
import org.jspecify.annotations.Nullable;

/**
 * The row of a source in one of the databases of the strategy {@code stepped}.
 *
 * @param generation the number of the set of databases that the row belongs to
 * @param instance the instance of its database, from 1
 * @param instances the number of databases in that set
 * @param limit all ids of the row are below it
 * @param next the next id
 * @param reach how many ids it grants at most in ten minutes; null if nothing limits them
 */
record SteppedRow(
        long generation,
        long instance,
        long instances,
        long limit,
        long next,
        @Nullable Long reach) {

    /** The limit of a row that nothing limits. */
    static final long UNLIMITED = Long.MAX_VALUE;

    boolean isUnlimited() {
        return limit == UNLIMITED;
    }

    /** Whether the row waits until the growth of its set ends. */
    boolean isClosed() {
        return limit == CounterTable.NOT_OPEN;
    }

    SteppedRow withLimit(long newLimit) {
        return new SteppedRow(generation, instance, instances, newLimit, next, reach);
    }

    @Override
    public String toString() {
        return "instance " + instance + " of " + instances + ", "
                + (isClosed()
                        ? "not open, next id " + next
                        : "next id " + next + (isUnlimited() ? "" : ", ids end below " + limit));
    }
}
