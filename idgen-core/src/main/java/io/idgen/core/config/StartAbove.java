package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bound below all ids of a source: the ids of an earlier generator.
 *
 * @param id the largest of them, unless a column contains them
 * @param column {@code table.column}, or null
 */
record StartAbove(long id, @Nullable String column) {
    /** How far in the future the time of an id may lie: clocks of hosts differ. */
    static final Duration CLOCKS = Duration.ofHours(1);

    /** How old the newest id of the earlier generator is at most, if it has been in use until now. */
    private static final Duration RECENT = Duration.ofDays(365);

    /** How long ids of a proposal have to last. */
    private static final Duration LIFETIME = Duration.ofDays(10 * 365);

    static StartAbove parse(String text) {
        String value = text.strip();
        if (value.matches("\\d+")) {
            return new StartAbove(Setting.wholeNumber(0, Long.MAX_VALUE).apply(value), null);
        }
        if (value.matches("[^\\s.]+(\\.[^\\s.]+){1,2}")) {
            return new StartAbove(0, value);
        }
        throw new IllegalArgumentException("an id or a column like book.id is expected, got '" + text + "'");
    }

    /**
     * Checks the next id of a source.
     *
     * @param above the largest id of the earlier generator
     * @param next the next id
     * @throws ConfigurationException {@link ErrorCode#NEXT_ID_NOT_ABOVE} if the next id is not above
     */
    void check(long above, long next, SnowflakeLayout layout, SourceContext context) {
        if (next > above) {
            return;
        }
        Instant now = context.clock().instant();
        throw new ConfigurationException(
                ErrorCode.NEXT_ID_NOT_ABOVE,
                context.withOrigin(
                        SnowflakeStrategy.START_ABOVE,
                        "the next id of source '" + context.name() + "' with layout " + layout + " is " + next
                                + ", not above "
                                + (column == null ? "" : "the largest value of " + column + ", ")
                                + above
                                + ", so ids could repeat later; "
                                + clock(above, layout, now)
                                + proposal(above, layout, now)));
    }

    /** Returns what to do about an id of the near future, which this layout has if this host's clock is behind. */
    private static String clock(long above, SnowflakeLayout layout, Instant now) {
        Instant time = time(above, layout);
        return time == null || !time.isBefore(now.plus(1, ChronoUnit.DAYS))
                ? ""
                : "if idgen generated that id, at " + time + ", this host's clock, at "
                        + now.truncatedTo(ChronoUnit.MILLIS) + ", is behind: correct it; otherwise ";
    }

    /** Returns what to do about an id that is not below the next ones: settings whose ids are above it, if any. */
    static String proposal(long above, SnowflakeLayout layout, Instant now) {
        String setting = preset(above, layout, now);
        if (setting == null) {
            setting = epoch(above, layout, now);
        }
        return setting == null
                ? "no epoch of this layout gives ids above it for ten years; leave this table to the earlier"
                        + " generator, or check the value"
                : "stop all processes of the earlier generator, and start with " + setting
                        + ", so that all new ids are above " + above
                        + "; also set a new idgen.worker.namespace if this one was in use";
    }

    /**
     * Returns another preset in which the id is of the recent past: that of the earlier generator. It may have
     * generated the id a moment ago, by a clock that is ahead of this one.
     */
    private static @Nullable String preset(long above, SnowflakeLayout layout, Instant now) {
        String best = null;
        Instant latest = now.minus(RECENT);
        for (Map.Entry<String, SnowflakeLayout> preset :
                SnowflakeLayout.presets().entrySet()) {
            SnowflakeLayout other = preset.getValue();
            Instant time = time(above, other);
            if (time != null
                    && time.isAfter(latest)
                    && !time.isAfter(now.plus(CLOCKS))
                    && !other.equals(layout)
                    && other.end().isAfter(now.plus(LIFETIME))) {
                latest = time;
                best = SnowflakeStrategy.LAYOUT + "=" + preset.getKey() + " (there, " + above + " is of " + time + ")";
            }
        }
        return best;
    }

    /** Returns an epoch so early that the ids of now are a day above, even if this clock is ahead, and remain so. */
    private static @Nullable String epoch(long above, SnowflakeLayout layout, Instant now) {
        Instant time = time(above, layout);
        if (time == null) {
            return null;
        }
        try {
            Instant epoch = now.minus(Duration.between(layout.epoch(), time))
                    .truncatedTo(ChronoUnit.DAYS)
                    .minus(1, ChronoUnit.DAYS);
            SnowflakeLayout earlier = layout.withEpoch(epoch);
            return earlier.firstIdAt(now.minus(CLOCKS)) > above && earlier.end().isAfter(now.plus(LIFETIME))
                    ? SnowflakeStrategy.EPOCH + "=" + epoch
                    : null;
        } catch (IllegalArgumentException | DateTimeException e) {
            return null;
        }
    }

    /** Returns the time of an id; null if it has more bits than the layout. */
    static @Nullable Instant time(long id, SnowflakeLayout layout) {
        return id < 0 || id > layout.largestId(layout.workers() - 1)
                ? null
                : layout.parse(id).time();
    }
}
