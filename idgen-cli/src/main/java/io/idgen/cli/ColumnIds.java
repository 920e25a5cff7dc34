package io.idgen.cli;

import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Layouts;
import io.idgen.cli.common.Output;
import io.idgen.cli.doctor.ColumnSample;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.LayoutMatch;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Ids of a column: which layouts can have them, and whether the next id of a layout is above.
 *
 * @param column the column
 * @param sample its ids, at least one
 * @param matches the layouts that can have the ids, the most likely first; none for numbers of a sequence
 * @param layout the layout in use
 * @param next the smallest next id of that layout
 */
record ColumnIds(String column, ColumnSample sample, List<LayoutMatch> matches, SnowflakeLayout layout, long next) {
    private static final int MOST_WORKERS = 8;

    /** The JSON form. Ids are strings, because JavaScript rounds integers above 2<sup>53</sup>. */
    private record ColumnJson(
            String column,
            int ids,
            String largest,
            boolean sequential,
            List<MatchJson> layouts,
            String layout,
            String next,
            boolean above) {}

    /** The JSON form of a match; workers as {@code (datacenter,worker)}, with the number of their ids. */
    private record MatchJson(
            String layout, long ids, Instant oldest, Instant newest, String newestId, Map<String, Long> workers) {
        static MatchJson of(LayoutMatch match) {
            return new MatchJson(
                    Layouts.name(match.layout()),
                    match.ids(),
                    match.oldest().parts().time(),
                    match.newest().parts().time(),
                    Long.toString(match.newest().id()),
                    match.workers());
        }
    }

    /** Prints all. Returns the exit code: whether the next id is above. */
    int print(Output output) {
        if (output.isJson()) {
            output.json(new ColumnJson(
                    column,
                    sample.ids().size(),
                    Long.toString(largest()),
                    matches.isEmpty(),
                    matches.stream().map(MatchJson::of).toList(),
                    Layouts.name(layout),
                    Long.toString(next),
                    isAbove()));
        } else {
            output.print(text());
        }
        return isAbove() ? ExitCodes.OK : ExitCodes.FOUND;
    }

    private String text() {
        String head = String.format(
                Locale.ROOT,
                "%s: ids read: %,d, the largest %d\n",
                column,
                sample.ids().size(),
                largest());
        String found = matches.isEmpty()
                ? "  numbers of a sequence, of IDENTITY or of segments; they contain no time\n"
                : matches.stream().map(ColumnIds::line).collect(Collectors.joining())
                        + (matches.size() == 1 ? "" : "The first is the most likely: it has the latest id.\n");
        return head + found + "The next id of layout " + Layouts.name(layout) + " is " + next + " or more, "
                + (isAbove()
                        ? "above the largest."
                        : "not above the largest: use the layout of these ids, or set idgen.snowflake.start-above="
                                + column + ", with which the start proposes one.");
    }

    private static String line(LayoutMatch match) {
        return String.format(
                Locale.ROOT,
                "  %-10s %,d ids, %s to %s (%d), %d workers: %s%s\n",
                Layouts.name(match.layout()),
                match.ids(),
                match.oldest().parts().time(),
                match.newest().parts().time(),
                match.newest().id(),
                match.workers().size(),
                match.workers().entrySet().stream()
                        .limit(MOST_WORKERS)
                        .map(worker -> "@" + worker.getKey() + " " + worker.getValue())
                        .collect(Collectors.joining(", ")),
                match.workers().size() > MOST_WORKERS ? ", …" : "");
    }

    private long largest() {
        return sample.ids().get(sample.ids().size() - 1);
    }

    private boolean isAbove() {
        return next > largest();
    }
}
