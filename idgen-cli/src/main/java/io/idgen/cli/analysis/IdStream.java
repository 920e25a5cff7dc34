package io.idgen.cli.analysis;

import io.idgen.cli.common.Layouts;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.IdInspector;
import io.idgen.text.InspectedId;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Ids of one layout, in any order and any number: their workers, and which of them are equal. Needs a megabyte. For one
 * thread.
 */
public final class IdStream {

    /** The largest number of listed ids: {@value}. */
    static final int MOST_LISTED = 100;

    private static final int PLACE_BITS = 16;

    // 2^64 divided by the golden ratio, odd: spreads ids that differ only in some bits (Knuth, TAOCP 3, 6.4)
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final SnowflakeLayout layout;
    private final IdInspector inspector;
    private final Map<String, Long> idsOfWorkers = new TreeMap<>();
    private final Listed duplicates = new Listed();
    private final Listed outside = new Listed();
    private final long[] recent = new long[1 << PLACE_BITS];
    private long ids;
    private long smallest = Long.MAX_VALUE;
    private long largest = -1;

    /**
     * What was found, and its JSON form: ids as strings, times in UTC.
     *
     * @param layout the preset's name, or widths and epoch
     * @param ids how many numbers can be ids of the layout by now; all but {@code outside} refers to these
     * @param first the time of the earliest id; empty if there is none
     * @param last the time of the latest id; empty if there is none
     * @param workers the number of ids of each worker, as {@code (datacenter,worker)}
     * @param duplicates ids that repeat an earlier one. All are found if equal ids are neighbours, as in a sorted
     *     stream; otherwise equal ids that are many thousands apart may be missed
     * @param cause the likely cause of the duplicates; empty if there are none
     * @param outside numbers that cannot be ids of the layout by now: negative, too long, or more than a day ahead
     */
    public record Analysis(
            String layout,
            long ids,
            String first,
            String last,
            Map<String, Long> workers,
            Found duplicates,
            String cause,
            Found outside) {}

    /** How many ids there are, and the first {@value IdStream#MOST_LISTED} of them, each once. */
    public record Found(long count, List<String> first) {}

    /** Counts ids, and lists the first ones. */
    private static final class Listed {
        private final Set<Long> first = new LinkedHashSet<>();
        private long count;

        void add(long id) {
            count++;
            if (first.size() < MOST_LISTED) {
                first.add(id);
            }
        }

        Found found() {
            return new Found(count, first.stream().map(String::valueOf).toList());
        }
    }

    /**
     * Creates a stream without ids.
     *
     * @param layout the layout of all ids
     * @param clock the current time
     */
    public IdStream(SnowflakeLayout layout, InstantSource clock) {
        this.layout = layout;
        this.inspector = new IdInspector(clock);
        Arrays.fill(recent, -1);
    }

    /**
     * Adds the next number.
     *
     * @param id any number
     */
    public void add(long id) {
        if (id < 0 || id > layout.largestId(layout.workers() - 1)) {
            outside.add(id);
            return;
        }
        InspectedId inspected = inspector.inspect(id, layout);
        if (!inspected.plausible()) {
            outside.add(id);
            return;
        }
        ids++;
        smallest = Math.min(smallest, id);
        largest = Math.max(largest, id);
        idsOfWorkers.merge(inspected.worker(), 1L, Long::sum);
        if (isRepeated(id)) {
            duplicates.add(id);
        }
    }

    /**
     * Detects repeated ids in constant memory. Each id replaces the one that was at the index of its hash. Equal
     * neighbours are always detected, and equal ids some thousands apart nearly always. There are no false reports.
     */
    private boolean isRepeated(long id) {
        int place = (int) ((id * SPREAD) >>> (Long.SIZE - PLACE_BITS));
        boolean known = recent[place] == id;
        recent[place] = id;
        return known;
    }

    /**
     * Returns what is known of all ids so far.
     *
     * @return the analysis
     */
    public Analysis analysis() {
        return new Analysis(
                Layouts.name(layout),
                ids,
                timeOf(smallest),
                timeOf(largest),
                idsOfWorkers,
                duplicates.found(),
                cause(),
                outside.found());
    }

    private String timeOf(long id) {
        return ids == 0 ? "" : layout.parse(id).time().toString();
    }

    private String cause() {
        List<InspectedId> repeated = duplicates.first.stream()
                .map(id -> inspector.inspect(id, layout))
                .toList();
        return repeated.isEmpty() ? "" : new DuplicateCause(repeated).text();
    }
}
