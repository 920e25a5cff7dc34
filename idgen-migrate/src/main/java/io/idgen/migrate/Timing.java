package io.idgen.migrate;

/**
 * How long a step takes at least, measured with a copy of some rows in a temporary table of the same server. Triggers,
 * pauses and the load of others come on top.
 *
 * @param table the table
 * @param rows the number of rows that were copied, at least 1
 * @param millisPerMillion the time for a million rows, in milliseconds
 */
public record Timing(String table, long rows, long millisPerMillion) {}
