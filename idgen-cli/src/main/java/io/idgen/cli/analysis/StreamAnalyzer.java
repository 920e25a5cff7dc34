package io.idgen.cli.analysis;

import io.idgen.cli.analysis.StreamAnalysis.Evenness;
import io.idgen.cli.analysis.StreamAnalysis.Found;
import io.idgen.cli.analysis.StreamAnalysis.Inversions;
import io.idgen.cli.analysis.StreamAnalysis.Load;
import io.idgen.cli.analysis.StreamAnalysis.Worker;
import io.idgen.cli.common.Layouts;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.text.IdInspector;
import io.idgen.text.InspectedId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Analyses a stream of ids of one layout: load, saturation, order, duplicates, evenness. Ids may come in any order and
 * any number; an analysis needs a few megabytes. For one thread.
 */
public final class StreamAnalyzer {

    /** How many workers are analysed separately: the first {@value} in the stream. */
    static final int MOST_WORKERS = 1024;

    /** The largest number of shards for which the distribution of ids is measured: {@value}. */
    static final int MOST_SHARDS = 64;

    /** The largest number of listed ids: {@value}. */
    static final int MOST_LISTED = 100;

    private static final int PLACE_BITS = 16;

    // 2^64 divided by the golden ratio, odd: spreads ids that differ only in some bits (Knuth, TAOCP 3, 6.4)
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final SnowflakeLayout layout;
    private final IdInspector inspector;
    private final LoadGrid load;
    private final WorkerTally others;
    private final Map<Long, WorkerTally> workers = new TreeMap<>();
    private final Listed duplicates = new Listed();
    private final Listed outside = new Listed();
    private final long[] recent = new long[1 << PLACE_BITS];
    private final long[][] remainders =
            IntStream.rangeClosed(0, MOST_SHARDS).mapToObj(long[]::new).toArray(long[][]::new);

    private long ids;
    private long smallest = Long.MAX_VALUE;
    private long largest = -1;
    private Instant latest = Instant.MIN;
    private long inversions;
    private Duration mostBack = Duration.ZERO;

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
     * Creates an analyzer.
     *
     * @param layout the layout of all ids
     * @param clock the current time; ids more than a day later are not plausible
     */
    public StreamAnalyzer(SnowflakeLayout layout, InstantSource clock) {
        this.layout = layout;
        this.inspector = new IdInspector(clock);
        this.load = new LoadGrid(layout.tick().toMillis());
        this.others = tally();
        Arrays.fill(recent, -1);
    }

    private WorkerTally tally() {
        return new WorkerTally(load.addRow(), layout.idsPerTick());
    }

    /**
     * Counts the next id of the stream.
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
        SnowflakeParts parts = inspected.parts();
        ids++;
        order(id, parts.time());
        if (isRepeated(id)) {
            duplicates.add(id);
        }
        for (int shards = 2; shards <= MOST_SHARDS; shards++) {
            remainders[shards][(int) (id % shards)]++;
        }
        WorkerTally worker = worker(layout.packWorker(parts.datacenter(), parts.worker()));
        long sinceEpoch = parts.time().toEpochMilli() - layout.epoch().toEpochMilli();
        worker.add(sinceEpoch / layout.tick().toMillis(), parts.sequence());
        load.add(worker.loadRow, parts.time().toEpochMilli());
    }

    private void order(long id, Instant time) {
        if (id < largest) {
            inversions++;
            Duration back = Duration.between(time, latest);
            mostBack = back.compareTo(mostBack) > 0 ? back : mostBack;
        } else {
            largest = id;
            latest = time;
        }
        smallest = Math.min(smallest, id);
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

    private WorkerTally worker(long number) {
        WorkerTally worker = workers.get(number);
        if (worker == null) {
            if (workers.size() == MOST_WORKERS) {
                return others;
            }
            worker = tally();
            workers.put(number, worker);
        }
        return worker;
    }

    /**
     * Returns the analysis of all ids so far.
     *
     * @return the analysis
     */
    public StreamAnalysis result() {
        WorkerTally all = new WorkerTally(others.loadRow, layout.idsPerTick());
        workers.values().forEach(all::merge);
        all.merge(others);
        return new StreamAnalysis(
                Layouts.name(layout),
                ids,
                timeOf(smallest),
                timeOf(largest),
                new Load(Instant.ofEpochMilli(load.startMillis()).toString(), load.bucketMillis(), load.total()),
                workers.entrySet().stream()
                        .map(each -> worker(each.getKey(), each.getValue()))
                        .toList(),
                others.ids,
                all.saturation(),
                new Inversions(inversions, ids == 0 ? 0 : (double) inversions / ids, mostBack.toMillis()),
                duplicates.found(),
                cause(),
                outside.found(),
                IntStream.rangeClosed(2, MOST_SHARDS).mapToObj(this::evenness).toList());
    }

    private Worker worker(long number, WorkerTally tally) {
        return new Worker(
                (int) (number >>> layout.workerBits()),
                (int) (number & ((1L << layout.workerBits()) - 1)),
                tally.ids,
                tally.saturation(),
                load.row(tally.loadRow));
    }

    private String timeOf(long id) {
        return ids == 0 ? "" : layout.parse(id).time().toString();
    }

    private String cause() {
        List<InspectedId> repeated = duplicates.first.stream()
                .map(id -> inspector.inspect(id, layout))
                .toList();
        return repeated.isEmpty() ? "" : new Duplicates(repeated).text();
    }

    private Evenness evenness(int shards) {
        long most = Arrays.stream(remainders[shards]).max().orElse(0);
        return new Evenness(shards, ids == 0 ? 1 : (double) most * shards / ids);
    }
}
