package io.idgen.spring.boot;

import io.idgen.core.SourceSnapshot;
import io.idgen.core.SourceSnapshot.Health;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The health of the open sources as statuses of Spring Boot: {@code UP}; {@code DEGRADED} while ids come from the
 * reserve; {@code OUT_OF_SERVICE} if a source returns no ids.
 *
 * @param status the status of the worst source
 * @param details for each source, its problem, or that it is up
 */
record IdgenHealth(String status, Map<String, Object> details) {
    static IdgenHealth of(Map<String, SourceSnapshot> snapshots) {
        Health worst = snapshots.values().stream()
                .map(SourceSnapshot::health)
                .max(Comparator.naturalOrder())
                .orElse(Health.UP);
        Map<String, Object> details = new LinkedHashMap<>();
        snapshots.forEach((name, snapshot) -> details.put(name, text(snapshot)));
        return new IdgenHealth(status(worst), details);
    }

    private static String status(Health health) {
        return health == Health.DOWN ? "OUT_OF_SERVICE" : health.name();
    }

    private static String text(SourceSnapshot snapshot) {
        String status = status(snapshot.health());
        SourceSnapshot.Outage outage = snapshot.outage();
        if (snapshot.ended() != null) {
            return status + ": " + snapshot.ended();
        }
        if (snapshot.refused() != null) {
            return status + ": " + snapshot.refused();
        }
        return outage == null
                ? status
                : status + ": no answer for " + outage.duration().toSeconds() + " s, " + outage.failures()
                        + " attempts; " + outage.cause();
    }
}
