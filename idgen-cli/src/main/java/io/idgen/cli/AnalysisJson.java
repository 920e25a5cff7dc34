package io.idgen.cli;

import io.idgen.cli.analysis.Findings;
import io.idgen.cli.analysis.LoadCurve;
import io.idgen.cli.analysis.Saturation;
import io.idgen.cli.analysis.StreamAnalysis;
import io.idgen.cli.analysis.WorkerActivity;
import io.idgen.cli.common.Layouts;
import java.util.List;

/** The JSON form of an analysis: ids as strings, times in UTC, durations in milliseconds. */
record AnalysisJson(
        String layout,
        long ids,
        String first,
        String last,
        Load load,
        List<Worker> workers,
        long otherWorkersIds,
        Saturation saturation,
        Inversions inversions,
        Found duplicates,
        Found outside,
        List<Evenness> evenness) {

    record Load(String start, long bucketMillis, List<Long> ids) {
        static Load of(LoadCurve load) {
            return new Load(load.start().toString(), load.bucket().toMillis(), load.ids());
        }
    }

    record Worker(int datacenter, int worker, long ids, Saturation saturation, List<Long> load) {
        static Worker of(WorkerActivity worker) {
            return new Worker(
                    worker.datacenter(),
                    worker.worker(),
                    worker.ids(),
                    worker.saturation(),
                    worker.load().ids());
        }
    }

    record Inversions(long count, double share, long largestStepBackMillis) {}

    record Found(long count, List<String> first) {
        static Found of(Findings findings) {
            return new Found(
                    findings.count(),
                    findings.first().stream().map(String::valueOf).toList());
        }
    }

    record Evenness(int shards, double fullestOverFairShare) {}

    static AnalysisJson of(StreamAnalysis analysis) {
        return new AnalysisJson(
                Layouts.name(analysis.layout()),
                analysis.ids(),
                analysis.first().map(String::valueOf).orElse(""),
                analysis.last().map(String::valueOf).orElse(""),
                Load.of(analysis.load()),
                analysis.workers().stream().map(Worker::of).toList(),
                analysis.otherWorkersIds(),
                analysis.saturation(),
                new Inversions(
                        analysis.inversions().count(),
                        analysis.inversions().share(),
                        analysis.inversions().largestStepBack().toMillis()),
                Found.of(analysis.duplicates()),
                Found.of(analysis.outside()),
                analysis.shards().stream()
                        .map(shards -> new Evenness(shards.count(), shards.skew()))
                        .toList());
    }
}
