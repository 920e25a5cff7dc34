package io.idgen.migrate;

/**
 * What a migration has just done.
 *
 * @param step the number of the step
 * @param text the statement, or how far a backfill is
 * @param lockedMillis for how long the statements held locks that block others, in milliseconds; at most this long
 */
public record Progress(int step, String text, long lockedMillis) {}
