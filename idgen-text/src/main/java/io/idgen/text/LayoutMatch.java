package io.idgen.text;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Ids of a table that one layout can have: their times and workers under this layout.
 *
 * @param layout the layout
 * @param ids how many of the ids have a plausible time under this layout
 * @param oldest the smallest of them
 * @param newest the largest of them
 * @param workers how many of them each worker has, the busiest first; a worker is {@code (2,5)} for datacenter 2 and
 *     worker 5, or {@code (5)} in a layout without datacenters
 */
public record LayoutMatch(
        SnowflakeLayout layout, long ids, InspectedId oldest, InspectedId newest, Map<String, Long> workers) {

    /**
     * How long after its epoch a layout has its first ids. All presets were published later than this after their
     * epochs, or count from an earlier event; numbers of a sequence lie within milliseconds of each epoch.
     */
    private static final Duration FIRST_USE = Duration.ofDays(30);

    /** Copies the map in its order. */
    public LayoutMatch {
        workers = Collections.unmodifiableMap(new LinkedHashMap<>(workers));
    }

    /** Returns the matches of ids with some layouts, that with the newest id first. */
    static List<LayoutMatch> of(List<Long> ids, Collection<SnowflakeLayout> layouts, IdInspector inspector) {
        return layouts.stream()
                .map(layout -> ids.stream()
                        .filter(Fields.of(layout)::has)
                        .map(id -> inspector.inspect(id, layout))
                        .filter(LayoutMatch::isPlausible)
                        .sorted(Comparator.comparingLong(InspectedId::id))
                        .toList())
                .filter(decoded -> !decoded.isEmpty())
                .map(LayoutMatch::of)
                .sorted(Comparator.comparing(
                        (LayoutMatch match) -> match.newest.parts().time(), Comparator.reverseOrder()))
                .toList();
    }

    private static boolean isPlausible(InspectedId id) {
        return id.plausible() && !id.parts().time().isBefore(id.layout().epoch().plus(FIRST_USE));
    }

    private static LayoutMatch of(List<InspectedId> decoded) {
        Map<String, Long> workers = decoded.stream()
                .collect(Collectors.groupingBy(InspectedId::worker, TreeMap::new, Collectors.counting()));
        Map<String, Long> busiestFirst = new LinkedHashMap<>();
        workers.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(each -> busiestFirst.put(each.getKey(), each.getValue()));
        return new LayoutMatch(
                decoded.get(0).layout(), decoded.size(), decoded.get(0), decoded.get(decoded.size() - 1), busiestFirst);
    }
}
