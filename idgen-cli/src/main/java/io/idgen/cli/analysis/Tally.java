package io.idgen.cli.analysis;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.text.BitField;
import io.idgen.text.Fields;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One pass over a stream of ids: decodes each id once and passes it to all counters. For one thread. */
final class Tally {
    private final SnowflakeLayout layout;
    private final Fields fields;
    private final BitField packedWorker;
    private final long epochMillis;
    private final long tickMillis;
    private final long lastPlausibleTick;

    private final LoadGrid load;
    private final int otherWorkersRow;
    private final Map<Long, WorkerTally> workers = new HashMap<>();
    private final SequenceTally sequences;
    private final RecentIds recent = new RecentIds();
    private final RemainderTally remainders = new RemainderTally();
    private final Findings.Builder duplicates = new Findings.Builder();
    private final Findings.Builder outside = new Findings.Builder();

    private long ids;
    private long otherWorkersIds;
    private long smallest = Long.MAX_VALUE;
    private long largest = -1;
    private long inversions;
    private long mostTicksBack;

    Tally(SnowflakeLayout layout, long lastPlausibleTick, LoadGrid load) {
        this.layout = layout;
        this.fields = Fields.of(layout);
        this.packedWorker = fields.packedWorker();
        this.epochMillis = layout.epoch().toEpochMilli();
        this.tickMillis = layout.tick().toMillis();
        this.lastPlausibleTick = lastPlausibleTick;
        this.load = load;
        this.otherWorkersRow = load.addRow();
        this.sequences = new SequenceTally(layout.idsPerTick());
    }

    void add(long id) {
        long tick = fields.time().of(id);
        if (!fields.has(id) || tick > lastPlausibleTick) {
            outside.add(id);
            return;
        }
        ids++;
        order(id, tick);
        if (recent.sawBefore(id)) {
            duplicates.add(id);
        }
        remainders.add(id);
        int sequence = (int) fields.sequence().of(id);
        sequences.add(sequence);
        load.add(worker(packedWorker.of(id), tick, sequence), epochMillis + tick * tickMillis);
    }

    private void order(long id, long tick) {
        if (id < largest) {
            inversions++;
            mostTicksBack = Math.max(mostTicksBack, fields.time().of(largest) - tick);
        }
        largest = Math.max(largest, id);
        smallest = Math.min(smallest, id);
    }

    /** Counts the id for its worker, and returns the load row of that worker. */
    private int worker(long number, long tick, int sequence) {
        WorkerTally worker = workers.get(number);
        if (worker == null) {
            if (workers.size() == StreamAnalyzer.MOST_WORKERS) {
                otherWorkersIds++;
                return otherWorkersRow;
            }
            worker = new WorkerTally(load.addRow(), layout.idsPerTick());
            workers.put(number, worker);
        }
        worker.add(tick, sequence);
        return worker.loadRow();
    }

    StreamAnalysis result() {
        int mostInOneTick = workers.values().stream()
                .mapToInt(WorkerTally::mostInOneTick)
                .max()
                .orElse(0);
        return new StreamAnalysis(
                layout,
                ids,
                timeOf(smallest),
                timeOf(largest),
                load.total(),
                workers.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(e -> worker(e.getKey(), e.getValue()))
                        .toList(),
                otherWorkersIds,
                sequences.result(mostInOneTick),
                new Inversions(inversions, ids, Duration.ofMillis(mostTicksBack * tickMillis)),
                duplicates.build(),
                outside.build(),
                remainders.result());
    }

    private WorkerActivity worker(long number, WorkerTally tally) {
        return new WorkerActivity(
                (int) (number >>> layout.workerBits()),
                (int) (number & ((1L << layout.workerBits()) - 1)),
                tally.ids(),
                tally.saturation(),
                load.row(tally.loadRow()));
    }

    private Optional<Instant> timeOf(long id) {
        return ids == 0 ? Optional.empty() : Optional.of(layout.parse(id).time());
    }
}
