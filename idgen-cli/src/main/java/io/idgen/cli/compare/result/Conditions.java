package io.idgen.cli.compare.result;

import java.util.Map;

/** The conditions of the comparison. Durations are in milliseconds. */
public record Conditions(
        int threads,
        int instances,
        int rows,
        int rounds,
        long seed,
        long fullSpeedMillis,
        long pacedMillis,
        int pacedPerSecond,
        long scalingMillis,
        long outageMillis,
        int outagePerSecond,
        long outagePatienceMillis,
        int idsPerLife,
        int childrenPerParent,
        int parentsPerTransaction,
        String bytesAre,
        Map<String, String> settings) {}
