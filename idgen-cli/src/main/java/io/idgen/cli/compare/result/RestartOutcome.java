package io.idgen.cli.compare.result;

import io.idgen.cli.measure.DuplicateCheck;

/**
 * What a strategy lost when its process was killed.
 *
 * @param lastBefore the last id of the killed process
 * @param firstAfter the first id of the next process
 * @param lostIds how many ids between the two are lost; -1 if ids depend on time, where none are lost
 * @param jumpMillis the time between the two ids if ids depend on time, otherwise 0
 * @param firstMillis the time from reopening the source to its first id
 * @param duplicates the duplicates among the ids
 */
public record RestartOutcome(
        String lastBefore,
        String firstAfter,
        long lostIds,
        double jumpMillis,
        double firstMillis,
        DuplicateCheck.Duplicates duplicates) {}
