package io.idgen.cli.choose;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A recommended strategy. A pure function of the {@linkplain Needs needs}.
 *
 * @param strategy the value of {@code idgen.strategy}
 * @param layout the layout of Snowflake ids; empty for other strategies
 * @param settings the settings to copy
 * @param reasons why this strategy
 * @param costs what it costs, and what it does not do
 */
record Choice(String strategy, String layout, Map<String, String> settings, List<String> reasons, List<String> costs) {
    /** The defaults of the settings; a test compares them with the library. */
    static final Duration DEFAULT_WINDOW = Duration.ofSeconds(180);

    static final Duration DEFAULT_RESERVE = Duration.ofSeconds(60);
    // the window is renewed every 10 s, and a statement may take 5 s before idgen notices an outage
    private static final Duration WINDOW_MARGIN = Duration.ofSeconds(30);
    private static final Duration LONGEST_WINDOW = Duration.ofDays(1); // the largest idgen.worker.window
    private static final int DEFAULT_WORKERS = 1024;
    private static final int WORKER_AND_SEQUENCE_BITS = 22;

    /** Recommends a strategy. */
    static Choice of(Needs needs) {
        Draft draft = new Draft();
        if (needs.othersWrite() && (needs.isShort() || needs.outage().isZero())) {
            nativeSequence(needs, draft);
        } else if (needs.isShort()) {
            segment(needs, draft);
        } else {
            snowflake(needs, draft);
        }
        if (needs.texts()) {
            draft.reasons.add("keep the id as a BIGINT, and convert it to text at the edge, with IdCodec.BASE32:"
                    + " 13 characters, and an index a third smaller than that of texts");
        } else if (draft.strategy.equals("snowflake")) {
            draft.costs.add("ids are above 2^53, so JavaScript rounds them: send them as texts (idgen-jackson does)");
        }
        if (needs.leaveTheHouse()) {
            draft.reasons.add("ids tell how many rows there are, or when they were made: show PublicIds outside, which"
                    + " encrypt them");
            draft.costs.add("PublicIds need a key, which all processes share");
        }
        return draft.choice();
    }

    private static void nativeSequence(Needs needs, Draft draft) {
        draft.strategy = "native-sequence";
        draft.settings.put("idgen.sources.<name>.sequence", "<the sequence that the others use>");
        draft.reasons.add("others insert into the same tables, and the database's own sequence keeps all ids apart");
        draft.reasons.add("ids are short numbers");
        draft.costs.add(
                "a round trip for each block; set idgen.sources.<name>.increment to the increment of the sequence");
        draft.costs.add(
                needs.outage().isZero()
                        ? "no ids during an outage of the database, except the rest of a block"
                        : "ids for " + text(needs.outage())
                                + " of an outage are not possible: others can write only while the database answers, and"
                                + " a sequence keeps nothing in reserve");
        draft.costs.add("MySQL has no sequences: there, let the others insert through your application");
    }

    private static void segment(Needs needs, Draft draft) {
        draft.strategy = "segment";
        draft.reasons.add("ids are short numbers, and a round trip reserves many of them");
        draft.reasons.add("any number of processes: each reserves segments of its own");
        if (needs.outage().compareTo(DEFAULT_RESERVE) > 0) {
            draft.settings.put("idgen.segment.reserve", text(needs.outage()));
        }
        draft.reasons.add("the reserve lasts for " + text(longer(needs.outage(), DEFAULT_RESERVE))
                + " of an outage at the current rate");
        draft.costs.add("a crash loses up to two segments of each source: gaps, never duplicates");
        draft.costs.add("ids of different processes are in no order");
        draft.costs.add("a process that starts during an outage waits for it to end");
    }

    private static void snowflake(Needs needs, Draft draft) {
        draft.strategy = "snowflake";
        int workers = workersFor(needs.processes());
        int workerBits = Integer.SIZE - Integer.numberOfLeadingZeros(workers - 1);
        draft.layout = workers <= DEFAULT_WORKERS
                ? "idgen"
                : "41-" + workerBits + "-" + (WORKER_AND_SEQUENCE_BITS - workerBits);
        if (needs.othersWrite()) {
            draft.reasons.add(
                    "others insert small numbers into the same tables; Snowflake ids begin above 10^17, so they"
                            + " do not meet");
        }
        draft.reasons.add("an id costs no round trip, and contains its time");
        Duration needed = needs.outage().plus(WINDOW_MARGIN);
        Duration window = needed.compareTo(LONGEST_WINDOW) > 0 ? LONGEST_WINDOW : needed;
        draft.settings.put("idgen.worker.assigner", "jdbc");
        if (window.compareTo(DEFAULT_WINDOW) > 0) {
            draft.settings.put("idgen.worker.window", text(window));
        }
        draft.reasons.add("the worker id is leased from the database, so no two processes have the same one,"
                + " even if a clock steps back or a process restarts");
        draft.reasons.add(
                "ids last for about " + text(longer(window, DEFAULT_WINDOW).minus(WINDOW_MARGIN)) + " of an outage"
                        + (needed.equals(window) ? "" : ", the longest that idgen covers"));
        draft.costs.add("one more table, and one statement every 10 s for each process");
        draft.costs.add("a process that starts during an outage waits for it to end");
        if (workers > DEFAULT_WORKERS) {
            draft.reasons.add("the layout has " + workers + " worker ids, twice the number of your processes or more: a"
                    + " deployment starts new processes before the old ones end");
            draft.costs.add("fewer ids per millisecond and process: " + (1 << (WORKER_AND_SEQUENCE_BITS - workerBits)));
        }
        draft.costs.add("ids have 18 digits; their column must be a BIGINT");
    }

    /** Returns twice the number of processes, as a power of two: at least the default, at most 16 bits. */
    private static int workersFor(int processes) {
        int twice = Math.min(Needs.MOST_PROCESSES, 2 * processes);
        return Math.max(DEFAULT_WORKERS, Integer.highestOneBit(Math.max(1, twice - 1)) << 1);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** Formats a duration as settings write it. */
    static String text(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds % 3600 == 0 && seconds > 0
                ? seconds / 3600 + "h"
                : seconds % 60 == 0 && seconds > 180 ? seconds / 60 + "min" : seconds + "s";
    }

    /** A choice that is not complete yet. */
    private static final class Draft {
        private final Map<String, String> settings = new LinkedHashMap<>();
        private final List<String> reasons = new ArrayList<>();
        private final List<String> costs = new ArrayList<>();
        private String strategy = "";
        private String layout = "";

        private Choice choice() {
            Map<String, String> all = new LinkedHashMap<>();
            all.put("idgen.strategy", strategy);
            if (!layout.isEmpty()) {
                all.put("idgen.snowflake.layout", layout);
            }
            all.putAll(settings);
            return new Choice(strategy, layout, all, List.copyOf(reasons), List.copyOf(costs));
        }
    }
}
