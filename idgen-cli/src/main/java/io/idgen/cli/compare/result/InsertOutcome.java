package io.idgen.cli.compare.result;

/**
 * The result of the inserts.
 *
 * @param rows the number of parents and children of all rounds
 * @param speed rows per second
 * @param roundTripsPerThousand round trips to the database per 1,000 rows, including those for ids
 * @param bytes the size of both tables with all indexes
 * @param indexBytes the size of the indexes, if the database reports it separately
 */
public record InsertOutcome(long rows, Speed speed, double roundTripsPerThousand, long bytes, long indexBytes) {}
