package io.idgen.cli.doctor;

import io.idgen.core.internal.time.Characters;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The result of a repair of a store.
 *
 * @param dryRun whether nothing was changed
 * @param changes the changes; empty if there was nothing to do
 */
public record RepairReport(boolean dryRun, List<Change> changes) {

    /**
     * What a repair has changed, or would change.
     *
     * @param place the table, the key or the node
     * @param row what was changed there, for example the row
     * @param before the value before
     * @param after the value after
     */
    public record Change(String place, String row, String before, String after) {
        @Override
        public String toString() {
            return Characters.line(place + " " + row + ": " + before + " -> " + after);
        }
    }

    /**
     * Returns all changes on one line, for a log.
     *
     * @return for example {@code repaired idgen_counter orders: 48001 -> 300048001}
     */
    @Override
    public String toString() {
        String all = changes.isEmpty()
                ? "nothing"
                : changes.stream().map(Change::toString).collect(Collectors.joining("; "));
        return (dryRun ? "dry run, would repair " : "repaired ") + all;
    }
}
