package io.idgen.cli.compare.result;

import io.idgen.cli.measure.DuplicateCheck;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind of key with everything that was measured. What is null was not measured.
 *
 * @param example a key, as people write it
 * @param problem why measurements are missing; null if nothing failed
 */
public record Kind(
        String name,
        Family family,
        String what,
        @Nullable String example,
        int keyBytes,
        @Nullable String problem,
        DuplicateCheck.Duplicates duplicates,
        @Nullable Speed speed,
        List<Speed.Scale> scaling,
        @Nullable Latency latency,
        @Nullable Rows rows,
        Outcome.@Nullable Outage outage,
        Outcome.@Nullable Crash crash) {}
