package io.idgen.core.lease;

import io.idgen.core.internal.text.Defaults;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The worker ids of one namespace as they are in a store, and what a person on call should know about them. Each kind
 * of store reads these numbers in its own way. Immutable.
 *
 * @param namespace the namespace
 * @param layout the layout of the worker ids, as {@link SnowflakeLayout#toString} writes it
 * @param workerIds how many worker ids there are
 * @param leased how many of them a process leases now
 * @param reserved how many of them no process can lease
 * @param horizon the furthest horizon: the end of all granted ticks
 * @param longestWindow the longest window that was granted
 * @param now the time of the store's clock
 */
public record NamespaceUse(
        String namespace,
        String layout,
        long workerIds,
        long leased,
        long reserved,
        Instant horizon,
        Duration longestWindow,
        Instant now) {

    /** From this share of a range on, a finding is a warning. */
    public static final double NEARLY_USED_UP = 0.8;

    /**
     * A layout that ends within this time is a warning, here and in the log of a generator: moving a table's ids to
     * another layout takes planning.
     */
    public static final Duration END_IN_SIGHT = Duration.ofDays(5 * 365);

    private static final Duration USUAL_WINDOW = Durations.parse(Defaults.WINDOW);

    private static final String EPOCH = " from ";

    /**
     * Returns what to know about leases, horizons and the end of the layout.
     *
     * @return two or three findings
     */
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(List.of(leases(), horizons()));
        end().ifPresent(findings::add);
        return findings;
    }

    /**
     * Returns how far ahead of a store's clock ids begin after a repair: no process can have been granted more.
     *
     * @param longestWindow the longest window that was granted, as far as it is known
     * @return the gap of a process with the default window
     */
    public static Duration gap(Duration longestWindow) {
        return Duration.ofMillis(LeaseStore.Candidates.gapMillis(USUAL_WINDOW, longestWindow.toMillis()));
    }

    private String name() {
        return namespace + ", " + layout + ": ";
    }

    private Finding leases() {
        long all = workerIds - reserved;
        long free = all - leased;
        String text = name() + leased + " of " + all + " leased, " + free + " free"
                + (reserved == 0 ? "" : ", " + reserved + " reserved");
        if (free == 0) {
            return new Finding(
                    Level.WRONG,
                    "worker ids",
                    text
                            + "; the next process gets none: stop some processes, or choose a layout with more worker bits");
        }
        return leased < NEARLY_USED_UP * all
                ? new Finding(Level.OK, "worker ids", text)
                : new Finding(
                        Level.WARN,
                        "worker ids",
                        text + "; plan a layout with more worker bits before you start more processes");
    }

    private Finding horizons() {
        Duration ahead = Duration.between(now, horizon);
        Duration most = gap(longestWindow).plus(LeaseStore.SERVER_SKEW);
        if (ahead.isNegative() || ahead.isZero()) {
            return new Finding(Level.OK, "horizons", name() + "all in the past");
        }
        String text = name() + "ticks are granted up to " + ahead.toSeconds() + " s ahead, until " + time(horizon);
        return ahead.compareTo(most) <= 0
                ? new Finding(Level.OK, "horizons", text)
                : new Finding(
                        Level.WRONG,
                        "horizons",
                        text + ", but a correct clock grants at most " + most.toSeconds()
                                + " s; correct the store's clock, stop all processes, then run idgen repair horizons");
    }

    /** Empty if the layout was written by a release that this one does not know. */
    private Optional<Finding> end() {
        int epoch = layout.indexOf(EPOCH);
        if (epoch < 0) {
            return Optional.empty();
        }
        try {
            SnowflakeLayout known = SnowflakeLayout.parse(layout.substring(0, epoch))
                    .withEpoch(SnowflakeLayout.parseEpoch(layout.substring(epoch + EPOCH.length())));
            return Optional.of(end(known));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Finding end(SnowflakeLayout known) {
        Instant end = known.end();
        long millis = Duration.between(known.epoch(), end).toMillis();
        double used = (double) Duration.between(known.epoch(), now).toMillis() / millis;
        String text = String.format(
                Locale.ROOT, "%sends at %s, %.1f %% of its time is used", name(), end, 100 * Math.max(0, used));
        if (!now.isBefore(end)) {
            return new Finding(
                    Level.WRONG, "layout", text + "; no id can be generated: move to a layout with a later end");
        }
        return now.isBefore(end.minus(END_IN_SIGHT))
                ? new Finding(Level.OK, "layout", text)
                : new Finding(
                        Level.WARN,
                        "layout",
                        text + ", " + ChronoUnit.DAYS.between(now, end)
                                + " days are left: plan the move to a layout with a later end");
    }

    /**
     * Returns a time as a person reads it, and as the store holds it.
     *
     * @param time a time
     * @return for example {@code 2026-11-22T06:48:17.382Z (1795330097382)}
     */
    public static String time(Instant time) {
        return time + " (" + time.toEpochMilli() + ")";
    }
}
