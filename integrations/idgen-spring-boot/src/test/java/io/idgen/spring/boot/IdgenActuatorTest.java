package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.SegmentSnapshot;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.SourceSnapshot.Outage;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.micrometer.IdgenMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests the health of the sources, the endpoint {@code idgen} and the meters, without a database. */
class IdgenActuatorTest {
    private static final Outage OUTAGE = new Outage(Duration.ofSeconds(7), 3, "connection refused");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(IdgenAutoConfiguration.class, IdgenActuatorAutoConfiguration.class))
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=idgen",
                    "idgen.sources.orders.strategy=snowflake",
                    "idgen.worker.assigner=fixed",
                    "idgen.worker.id=5");

    /** A source with a state that the test chooses. */
    private record StateOnly(SourceSnapshot snapshot) implements IdSource {
        @Override
        public long nextId() {
            return 1;
        }

        @Override
        public void close() {}
    }

    private static SourceSnapshot state(
            boolean hasIds, @Nullable ErrorCode ended, @Nullable ErrorCode refused, @Nullable Outage outage) {
        return new SegmentSnapshot(
                "orders", 0, 0, 0, 0, 0, Duration.ZERO, hasIds, ended, refused, SourceSnapshot.Waits.NONE, outage, 0);
    }

    private static IdgenHealth health(Map<String, SourceSnapshot> states) {
        IdSources.Builder builder = IdSources.builder();
        states.forEach((name, state) -> builder.strategy(IdStrategy.of("of-" + name, () -> new StateOnly(state)))
                .set("idgen.sources." + name + ".strategy", "of-" + name));
        try (IdSources sources = builder.build()) {
            states.keySet().forEach(name -> sources.get(name).nextId()); // opens them
            return IdgenHealth.of(sources.snapshots());
        }
    }

    private static IdgenHealth health(SourceSnapshot state) {
        return health(Map.of("orders", state));
    }

    @Test
    void aSourceWithIdsInAnOutageIsDegraded() {
        assertThat(health(state(true, null, null, OUTAGE)))
                .isEqualTo(new IdgenHealth(
                        "DEGRADED", Map.of("orders", "DEGRADED: no answer for 7 s, 3 attempts; connection refused")));
    }

    @Test
    void aSourceWithoutIdsIsOutOfServiceAndNamesTheRefusal() {
        assertThat(health(state(false, null, ErrorCode.TABLE_MISSING, OUTAGE)))
                .isEqualTo(new IdgenHealth(
                        "OUT_OF_SERVICE", Map.of("orders", "OUT_OF_SERVICE: " + ErrorCode.TABLE_MISSING)));
    }

    @Test
    void aSourceThatHasEndedIsOutOfServiceAndNamesTheReasonFirst() {
        assertThat(health(state(true, ErrorCode.SOURCE_CLOSED, ErrorCode.TABLE_MISSING, OUTAGE)))
                .isEqualTo(new IdgenHealth(
                        "OUT_OF_SERVICE", Map.of("orders", "OUT_OF_SERVICE: " + ErrorCode.SOURCE_CLOSED)));
    }

    @Test
    void theWorstSourceDecides() {
        IdgenHealth health = health(Map.of(
                "orders", state(true, null, null, null),
                "parcels", state(false, null, null, OUTAGE),
                "stamps", state(true, null, null, OUTAGE)));

        assertThat(health.status()).isEqualTo("OUT_OF_SERVICE");
        assertThat(health.details())
                .containsOnlyKeys("orders", "parcels", "stamps")
                .containsEntry("orders", "UP");
    }

    @Test
    void theHealthIndicatorShowsTheOpenSources() {
        runner.run(context -> {
            context.getBean(IdSources.class).get("orders").nextId();

            assertThat(context.getBean(HealthIndicator.class).health())
                    .isEqualTo(Health.up().withDetail("orders", "UP").build());
        });
    }

    @Test
    void theHealthIndicatorCanBeDisabled() {
        runner.withPropertyValues("management.health.idgen.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("idgenHealthIndicator"));
    }

    @Test
    void theEndpointShowsTheOpenSources() {
        runner.run(context -> {
            IdgenEndpoint endpoint = context.getBean(IdgenEndpoint.class);
            assertThat(endpoint.sources()).isEmpty();

            context.getBean(IdSources.class).get("orders").nextId();

            assertThat(endpoint.sources()).containsOnlyKeys("orders");
        });
    }

    @Test
    void anEndpointThatIsNotExposedIsNoBean() {
        runner.withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(IdgenEndpoint.class));
    }

    @Test
    void eachSourceHasMetersAndEventsAreCounted() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            context.getBean(IdSources.class).get("orders").nextId();

            assertThat(meters.get("idgen.health")
                            .tag(IdgenMetrics.SOURCE, "orders")
                            .gauge()
                            .value())
                    .isEqualTo(1);
            assertThat(meters.get("idgen.worker.id").gauge().value()).isEqualTo(5);
            assertThat(context).hasBean("idgenEventMetrics");
        });
    }
}
