package io.idgen.core.inspect;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/**
 * Takes ids apart: one under a layout or under all that could have made it, two to tell what sets them apart, and those that
 * were found twice to tell why. Reads the clock, and does no other I/O; safe for many threads.
 */
public final class IdInspector {

    /** How far ahead a host's clock may be for its ids to be believed. */
    private static final Duration CLOCK_ERROR = Duration.ofDays(1);

    private final InstantSource clock;

    /**
     * An inspector of ids made until now.
     *
     * @param clock tells now, for example {@link InstantSource#system()}
     */
    public IdInspector(InstantSource clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /** The last tick in which an id can have been made; negative if the layout's epoch is yet to come. */
    static long lastPlausibleTick(SnowflakeLayout layout, InstantSource clock) {
        Instant last = clock.instant().plus(CLOCK_ERROR);
        return Math.floorDiv(
                last.toEpochMilli() - layout.epoch().toEpochMilli(),
                layout.tick().toMillis());
    }

    /**
     * Reads an id under a layout.
     *
     * @param id 0 or above
     * @param layout how to read it
     * @return what it says
     * @throws IllegalArgumentException if the layout has no such id: it is negative or has too many bits
     */
    public InspectedId inspect(long id, SnowflakeLayout layout) {
        boolean plausible = Fields.of(layout).time().of(id) <= lastPlausibleTick(layout, clock);
        return new InspectedId(id, layout, layout.parse(id), plausible);
    }

    /**
     * Reads an id under each {@linkplain SnowflakeLayout#presets() preset} for which it is plausible: its time lies between
     * the epoch and a day from now. That seldom leaves only one, since an id does not say which layout it has; the reader
     * knows whether it can be of 2012. Small numbers, as from a sequence, are plausible under all, moments after the epoch.
     *
     * @param id any number
     * @return in the order of the presets; empty if it is none of theirs
     */
    public List<InspectedId> inspect(long id) {
        return SnowflakeLayout.presets().values().stream()
                .filter(layout -> Fields.of(layout).has(id))
                .map(layout -> inspect(id, layout))
                .filter(InspectedId::plausible)
                .toList();
    }

    /**
     * Tells two ids of one layout apart, or why one id exists twice.
     *
     * @param one an id
     * @param other another, or the same
     * @param layout of both
     * @return {@link Duplicates} if they are equal, else their {@link Difference}
     * @throws IllegalArgumentException if the layout has no such ids
     */
    public Verdict compare(long one, long other, SnowflakeLayout layout) {
        return one == other
                ? duplicates(List.of(one), layout)
                : new Difference(inspect(one, layout), inspect(other, layout));
    }

    /**
     * Tells what ids that were found more than once point at.
     *
     * @param ids at least one, each listed once or as often as it was found
     * @param layout of all
     * @return the verdict on all together
     * @throws IllegalArgumentException if there is none, or the layout has no such id
     */
    public Duplicates duplicates(List<Long> ids, SnowflakeLayout layout) {
        return new Duplicates(
                ids.stream().distinct().map(id -> inspect(id, layout)).toList());
    }
}
