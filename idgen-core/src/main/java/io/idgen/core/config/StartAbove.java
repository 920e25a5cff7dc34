package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A bound below all ids of a source: the ids of an earlier generator.
 *
 * @param id the largest of them; null if a column contains them
 * @param column {@code table.column}; null if the id is given
 */
record StartAbove(@Nullable Long id, @Nullable String column) {
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
            return new StartAbove(null, value);
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
        return time(above, layout)
                .filter(time -> time.isBefore(now.plus(1, ChronoUnit.DAYS)))
                .map(time -> "if idgen generated that id, at " + time + ", this host's clock, at "
                        + now.truncatedTo(ChronoUnit.MILLIS) + ", is behind: correct it; otherwise ")
                .orElse("");
    }

    /** Returns what to do about an id that is not below the next ones: settings whose ids are above it, if any. */
    static String proposal(long above, SnowflakeLayout layout, Instant now) {
        Optional<String> setting = preset(above, layout, now).or(() -> epoch(above, layout, now));
        return setting.map(each -> "stop all processes of the earlier generator, and start with " + each
                        + ", so that all new ids are above " + above
                        + "; also set a new idgen.worker.namespace if this one was in use")
                .orElse("no epoch of this layout gives ids above it for ten years; leave this table to the earlier"
                        + " generator, or check the value");
    }

    /**
     * Returns another preset in which the id is of the recent past: that of the earlier generator. It may have
     * generated the id a moment ago, by a clock that is ahead of this one.
     */
    private static Optional<String> preset(long above, SnowflakeLayout layout, Instant now) {
        return SnowflakeLayout.presets().entrySet().stream()
                .filter(preset -> !preset.getValue().equals(layout)
                        && preset.getValue().end().isAfter(now.plus(LIFETIME)))
                .flatMap(preset -> time(above, preset.getValue())
                        .filter(time -> time.isAfter(now.minus(RECENT)) && !time.isAfter(now.plus(CLOCKS)))
                        .map(time -> Map.entry(time, preset.getKey()))
                        .stream())
                .max(Map.Entry.comparingByKey())
                .map(best -> SnowflakeStrategy.LAYOUT + "=" + best.getValue() + " (there, " + above + " is of "
                        + best.getKey() + ")");
    }

    /** Returns an epoch so early that the ids of now are a day above. */
    private static Optional<String> epoch(long above, SnowflakeLayout layout, Instant now) {
        return time(above, layout)
                .map(time -> now.minus(Duration.between(layout.epoch(), time))
                        .truncatedTo(ChronoUnit.DAYS)
                        .minus(1, ChronoUnit.DAYS))
                .filter(epoch -> fits(above, layout, epoch, now))
                .map(epoch -> SnowflakeStrategy.EPOCH + "=" + epoch);
    }

    private static boolean fits(long above, SnowflakeLayout layout, Instant epoch, Instant now) {
        try {
            return fits(above, layout.withEpoch(epoch), now);
        } catch (IllegalArgumentException | DateTimeException e) {
            return false;
        }
    }

    /** Returns whether ids of now are above, even if this clock is ahead, and remain so. */
    private static boolean fits(long above, SnowflakeLayout layout, Instant now) {
        return layout.firstIdAt(now.minus(CLOCKS)) > above && layout.end().isAfter(now.plus(LIFETIME));
    }

    /** Returns the time of an id; empty if the layout has no such id. */
    static Optional<Instant> time(long id, SnowflakeLayout layout) {
        try {
            return Optional.of(layout.parse(id).time());
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // it has more bits than the layout
        }
    }

    /** Returns the column, which is set if the id is not. */
    String columnOrThrow() {
        return Objects.requireNonNull(column);
    }
}
