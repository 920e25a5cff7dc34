package io.idgen.text;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * Decodes ids: one id under a layout or under all plausible layouts, and the layouts that fit the ids of a table. Reads
 * the clock, and does no other I/O. Safe for many threads.
 */
public final class IdInspector {

    /** How far ahead the clock of a generator may be for its ids to count as plausible. */
    private static final Duration CLOCK_ERROR = Duration.ofDays(1);

    private final InstantSource clock;

    /**
     * Creates an inspector.
     *
     * @param clock the clock that determines which ids are plausible, for example {@link InstantSource#system()}
     */
    public IdInspector(InstantSource clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * Decodes an id under a layout.
     *
     * @param id 0 or above
     * @param layout the layout
     * @return the decoded id
     * @throws IllegalArgumentException if the layout cannot have this id: it is negative or has too many bits
     */
    public InspectedId inspect(long id, SnowflakeLayout layout) {
        SnowflakeParts parts = layout.parse(id);
        return new InspectedId(
                id, layout, parts, !parts.time().isAfter(clock.instant().plus(CLOCK_ERROR)));
    }

    /**
     * Decodes an id under each {@linkplain SnowflakeLayout#presets() preset} for which it is plausible: its time lies
     * between the epoch and a day from now. More than one preset often remains, since an id does not contain its
     * layout; compare the decoded times with what you know. Small numbers, for example from a sequence, are plausible
     * under all presets, moments after the epoch.
     *
     * @param id any number
     * @return the decoded ids in the order of the presets; empty if no preset fits
     */
    public List<InspectedId> inspect(long id) {
        return SnowflakeLayout.presets().values().stream()
                .filter(layout -> Fields.of(layout).has(id))
                .map(layout -> inspect(id, layout))
                .filter(InspectedId::plausible)
                .toList();
    }

    /**
     * Finds the layouts that can have generated the ids of a table. Under such a layout, ids have times between a month
     * after its epoch and a day from now; so small numbers, for example from a sequence, match none.
     *
     * @param ids some ids of the table, in any order
     * @param layouts the layouts to try, for example those of {@link SnowflakeLayout#presets()}
     * @return a match for each layout with at least one such id; that with the newest id first, which is the most
     *     likely if the table is in use
     */
    public List<LayoutMatch> match(List<Long> ids, Collection<SnowflakeLayout> layouts) {
        return LayoutMatch.of(ids, layouts, this);
    }
}
