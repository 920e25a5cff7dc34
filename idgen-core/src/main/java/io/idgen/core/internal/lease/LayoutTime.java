package io.idgen.core.internal.lease;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.time.TickScale;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Instant;

/** The ticks of a layout, and checks that a time lies between its epoch and its end. */
public final class LayoutTime {
    private LayoutTime() {}

    public static TickScale ticks(SnowflakeLayout layout) {
        return TickScale.of(layout.epoch(), layout.tick(), layout.timeBits());
    }

    /** Throws if the layout has no ids for this time. */
    public static void checkCovers(SnowflakeLayout layout, Instant now) {
        if (now.isBefore(layout.epoch())) {
            throw new ConfigurationException(ErrorCode.INVALID_SETTING, epochInFuture(layout, now));
        }
        if (now.isAfter(layout.end())) {
            throw new ConfigurationException(
                    ErrorCode.LAYOUT_EXHAUSTED,
                    "layout " + layout + " ended at " + layout.end() + " (now " + now
                            + "); choose one with more time bits, a coarser tick or a later epoch");
        }
    }

    public static String epochInFuture(SnowflakeLayout layout, Instant now) {
        return "epoch " + layout.epoch() + " is in the future (now " + now
                + "); ids would be negative; choose one that has passed, or check the clock";
    }

    /** The exception for a time after the last tick. */
    public static IdGenerationException exhausted(SnowflakeLayout layout, long millis) {
        return new IdGenerationException(
                ErrorCode.LAYOUT_EXHAUSTED,
                "layout " + layout + " ends at " + layout.end() + ", now " + Instant.ofEpochMilli(millis)
                        + "; move to one with more time bits, a coarser tick or a later epoch");
    }
}
