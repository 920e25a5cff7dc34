package io.idgen.cli.compare.result;

import org.jspecify.annotations.Nullable;

/**
 * Inserts of parents with children, in rows per second.
 *
 * @param hibernate null without Hibernate on the class path
 * @param roundTripsPerThousand round trips per 1,000 rows with plain JDBC, including those for keys
 * @param bytes the size of both tables with all indexes
 * @param indexBytes the size of the indexes, if the database reports it separately
 */
public record Rows(
        long rows, Speed jdbc, @Nullable Speed hibernate, double roundTripsPerThousand, long bytes, long indexBytes) {}
