package io.idgen.examples.integrations;

import io.idgen.core.IdgenListener;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.config.IdSources;
import io.idgen.micrometer.IdgenEventMetrics;
import io.idgen.micrometer.IdgenMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Comparator;

/** Meters and health of sources. */
public final class SourceMeters {
    private SourceMeters() {}

    /**
     * Prints the meters after one id, and the health.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (IdSources sources = open(registry)) {
            sources.get("orders").nextId();
            System.out.println(registry.getMetersAsString());
            System.out.println(health(sources));
        }
    }

    static IdSources open(MeterRegistry registry) {
        IdgenEventMetrics events = new IdgenEventMetrics();
        IdSources sources = IdSources.builder()
                .set("idgen.worker.assigner", "single-process")
                .resource(IdgenListener.class, events)
                .source("orders")
                .build();
        new IdgenMetrics(sources).bindTo(registry);
        events.bindTo(registry);
        return sources;
    }

    static SourceSnapshot.Health health(IdSources sources) {
        SourceSnapshot.Health worst = sources.snapshots().values().stream()
                .map(SourceSnapshot::health)
                .max(Comparator.naturalOrder())
                .orElse(SourceSnapshot.Health.UP);
        return worst;
    }
}
