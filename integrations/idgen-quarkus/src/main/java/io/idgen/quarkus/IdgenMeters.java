package io.idgen.quarkus;

import io.idgen.core.config.IdSources;
import io.idgen.micrometer.IdgenMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Registers the meters of the sources when the application starts. */
@Singleton
public class IdgenMeters {
    /** Called by Quarkus. */
    public IdgenMeters() {}

    void register(@Observes StartupEvent start, MeterRegistry registry, IdSources sources) {
        new IdgenMetrics(sources).bindTo(registry);
    }
}
