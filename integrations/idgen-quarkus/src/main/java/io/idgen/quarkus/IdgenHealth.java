package io.idgen.quarkus;

import io.idgen.core.SourceSnapshot;
import io.idgen.core.config.IdSources;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Ready if each source that is open returns ids. Opens none. */
@Readiness
@Singleton
public class IdgenHealth implements HealthCheck {
    private final IdSources sources;

    @Inject
    IdgenHealth(IdSources sources) {
        this.sources = sources;
    }

    /** {@inheritDoc} */
    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("idgen").up();
        sources.snapshots().forEach((name, snapshot) -> {
            response.withData(name, snapshot.health().name());
            if (snapshot.health() == SourceSnapshot.Health.DOWN) {
                response.down();
            }
        });
        return response.build();
    }
}
