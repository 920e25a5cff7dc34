package io.idgen.framework.quarkus;

import io.idgen.core.SourceSnapshot;
import io.idgen.core.config.IdSources;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Ready if each source that is open returns ids. */
@Readiness
@ApplicationScoped
class IdHealth implements HealthCheck {
    @Inject
    IdSources sources;

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
