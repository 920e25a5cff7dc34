package io.idgen.cli.analysis;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.InspectedId;
import io.idgen.text.Spans;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The result of an analysis of a stream of ids. All components except {@link #outside} refer to plausible ids only, so
 * that one number that is not an id does not stretch the load curve over a century.
 *
 * @param layout the layout of the ids
 * @param ids how many plausible ids there are
 * @param first the time of the earliest id; empty if there is none
 * @param last the time of the latest id; empty if there is none
 * @param load the number of ids over time
 * @param workers the activity of each worker, by datacenter and worker; only the first
 *     {@value StreamAnalyzer#MOST_WORKERS} workers in the stream
 * @param otherWorkersIds how many ids belong to further workers
 * @param saturation how close the workers came to using all ids of a tick, for all workers together
 * @param inversions ids that are smaller than an earlier one
 * @param duplicates ids that repeat an earlier one. All are found if equal ids are neighbours, for example in a sorted
 *     stream; otherwise equal ids that are many thousands apart may be missed
 * @param outside numbers that cannot be ids of this layout by now: negative, too long, or more than a day in the future
 * @param shards how evenly {@code id % count} distributes the ids, for each count from 2 to 64
 */
public record StreamAnalysis(
        SnowflakeLayout layout,
        long ids,
        Optional<Instant> first,
        Optional<Instant> last,
        LoadCurve load,
        List<WorkerActivity> workers,
        long otherWorkersIds,
        Saturation saturation,
        Inversions inversions,
        Findings duplicates,
        Findings outside,
        List<Shards> shards) {

    private static final int MOST_WORKERS_NAMED = 8;

    /** Copies the lists. */
    public StreamAnalysis {
        workers = List.copyOf(workers);
        shards = List.copyOf(shards);
    }

    /** Returns a summary of several lines, with the verdict on duplicates if there are any. */
    @Override
    public String toString() {
        return String.join(
                "\n",
                ids + " ids of layout " + layout
                        + first.map(time -> ", from " + time).orElse("")
                        + last.map(time -> " to " + time).orElse(""),
                "load: " + peak(),
                "workers: " + workersText(),
                "sequence: highest " + saturation.highestSequence() + " of 0 to " + (saturation.idsPerTick() - 1) + ", "
                        + saturation.idsNearTheTop() + " ids in the top 1 %, at most " + saturation.mostInOneTick()
                        + " ids of one worker in one tick",
                "inversions: " + inversions.count() + " (" + percent(inversions.share()) + "), largest step back "
                        + Spans.text(inversions.largestStepBack()),
                "duplicates: " + duplicates.count()
                        + verdict().map(v -> ". " + v.text()).orElse(""),
                "outside: " + outside.count() + examples(outside.first()),
                "evenness: " + evenness());
    }

    private String peak() {
        if (load.ids().isEmpty()) {
            return "none";
        }
        int fullest = load.ids().indexOf(Collections.max(load.ids()));
        return "at most " + load.ids().get(fullest) + " ids in " + Spans.text(load.bucket()) + ", from "
                + load.startOf(fullest) + " on";
    }

    private String workersText() {
        String named = workers.stream()
                .sorted(Comparator.comparingLong(WorkerActivity::ids).reversed())
                .limit(MOST_WORKERS_NAMED)
                .map(w -> "(" + w.datacenter() + "," + w.worker() + ") " + w.ids())
                .collect(Collectors.joining(", "));
        return workers.size()
                + (named.isEmpty() ? "" : ": " + named)
                + (workers.size() > MOST_WORKERS_NAMED ? ", ..." : "")
                + (otherWorkersIds == 0 ? "" : "; further workers " + otherWorkersIds);
    }

    private Optional<Duplicates> verdict() {
        return duplicates.first().isEmpty()
                ? Optional.empty()
                : Optional.of(new Duplicates(duplicates.first().stream()
                        .map(id -> new InspectedId(id, layout, layout.parse(id), true))
                        .toList()));
    }

    private static String examples(List<Long> examples) {
        return examples.isEmpty() ? "" : ", such as " + examples.get(0);
    }

    private String evenness() {
        return "ids in the fullest shard, divided by the average: "
                + shards.stream()
                        .filter(s -> Integer.bitCount(s.count()) == 1)
                        .map(StreamAnalysis::skew)
                        .collect(Collectors.joining(", "))
                + shards.stream()
                        .max(Comparator.comparingDouble(Shards::skew))
                        .map(worst -> "; worst " + skew(worst))
                        .orElse("");
    }

    private static String skew(Shards shards) {
        return String.format(Locale.ROOT, "%.2f of %d", shards.skew(), shards.count());
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.4f %%", 100 * share);
    }
}
