package io.idgen.migrate;

import java.util.Locale;

/** Reports how far a backfill of a table is, each time that another percent is done. */
final class Backfill {
    private final Runner runner;
    private final String table;
    private final long all;
    private final boolean isEstimate;
    private final long sinceNanos = System.nanoTime();
    private long percent;

    /**
     * Begins a backfill.
     *
     * @param all how much there is to do
     * @param isEstimate whether that may be too little
     */
    Backfill(Runner runner, String table, long all, boolean isEstimate) {
        this.runner = runner;
        this.table = table;
        this.all = all;
        this.isEstimate = isEstimate;
    }

    void report(long rows, long done) {
        long now = Math.min(isEstimate ? 99 : 100, 100 * done / all);
        if (now > percent) {
            percent = now;
            double seconds = (System.nanoTime() - sinceNanos) / 1e9;
            String share = isEstimate ? "about %d %%, %d rows copied" : "%d %%, %d rows filled";
            runner.report(
                    table + ": "
                            + String.format(
                                    Locale.ROOT,
                                    share + ", %.0f s left at this speed",
                                    percent,
                                    rows,
                                    seconds * Math.max(0, all - done) / done),
                    0);
        }
    }
}
