package io.idgen.micrometer;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdGenerationException;
import io.idgen.core.config.IdSources;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdgenMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Sources sources = new Sources();

    @BeforeEach
    void bind() {
        new IdgenMetrics(sources.all).bindTo(registry);
        sources.events.bindTo(registry);
    }

    @AfterEach
    void close() {
        sources.close();
        registry.close();
    }

    /** Waits for a thread of idgen, at most for the timeout of this class. */
    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private double gauge(String meter, String source) {
        return registry.get(meter).tag("idgen.source", source).gauge().value();
    }

    private double count(String meter, String source) {
        return registry.get(meter).tag("idgen.source", source).functionCounter().count();
    }

    private double events(String kind) {
        return registry.get("idgen.events")
                .tag("idgen.event", kind)
                .functionCounter()
                .count();
    }

    // ---- when meters exist ----

    @Test
    void metersExistBeforeTheFirstIdAndOpenNoSource() {
        assertThat(gauge("idgen.health", "orders")).isNaN();
        assertThat(gauge("idgen.worker.id", "orders")).isNaN();
        assertThat(gauge("idgen.segment.remaining", "lines")).isNaN();
        assertThat(count("idgen.ids", "lines")).isZero();
        assertThat(sources.all.snapshots()).isEmpty();
    }

    @Test
    void theEventsOfAllKindsAreZeroBeforeTheFirstOne() {
        assertThat(registry.get("idgen.events").functionCounters()).hasSize(10).allMatch(each -> each.count() == 0);
    }

    @Test
    void aPrefixTellsTheSourcesOfTwoPoolsApart() {
        try (Sources other = new Sources()) {
            new IdgenMetrics(other.all).withPrefix("other.").bindTo(registry);
            other.lines().nextIds(3);

            assertThat(count("idgen.ids", "other.lines")).isEqualTo(3);
            assertThat(sources.all.snapshots()).isEmpty();
        }
    }

    // ---- their values ----

    @Test
    void aSourceOfSegmentsShowsItsIdsAndRefills() {
        sources.lines().nextIds(STEP_AND_A_HALF);
        until(() -> gauge("idgen.segment.remaining", "lines") == 3 * Sources.STEP - STEP_AND_A_HALF);

        assertThat(count("idgen.ids", "lines")).isEqualTo(STEP_AND_A_HALF);
        assertThat(registry.get("idgen.segment.load").functionTimer().count()).isEqualTo(3);
        assertThat(registry.get("idgen.segment.load").functionTimer().totalTime(SECONDS))
                .isPositive();
        assertThat(registry.get("idgen.acquire")
                        .tag("idgen.source", "lines")
                        .functionTimer()
                        .count())
                .isPositive();
        assertThat(gauge("idgen.acquire.waiting", "lines")).isZero();
        assertThat(gauge("idgen.health", "lines")).isEqualTo(1);
        until(() -> events("refilled") == 3);
    }

    private static final int STEP_AND_A_HALF = Sources.STEP * 3 / 2;

    @Test
    void aSnowflakeShowsItsLeaseAndTheEndOfItsLayout() {
        sources.orders().nextId();

        assertThat(gauge("idgen.health", "orders")).isEqualTo(1);
        assertThat(gauge("idgen.worker.id", "orders")).isBetween(0.0, 31.0);
        assertThat(gauge("idgen.worker.datacenter.id", "orders")).isBetween(0.0, 31.0);
        assertThat(gauge("idgen.worker.lease.remaining", "orders")).isBetween(0.0, 30.0);
        assertThat(gauge("idgen.worker.window.remaining", "orders")).isBetween(0.0, 181.0);
        assertThat(gauge("idgen.layout.exhaustion", "orders")).isBetween(SECONDS_A_YEAR, 68 * SECONDS_A_YEAR);
        assertThat(gauge("idgen.clock.lag", "orders")).isZero();
        assertThat(count("idgen.tick.waits", "orders")).isZero();

        until(() -> {
            sources.orders().nextIds(100 * 4096); // more than the ticks that ids may run ahead of the clock
            return count("idgen.tick.waits", "orders") > 0;
        });
        until(() -> events("lease_acquired") == 1);
    }

    private static final double SECONDS_A_YEAR = 366 * 24 * 3600.0;

    // ---- outages ----

    @Test
    void aSourceOfSegmentsIsDegradedWhileIdsComeFromTheReserveAndDownAfterwards() {
        sources.lines().warmUp();
        sources.away = true;
        sources.lines().nextIds(Sources.STEP + 1);
        until(() -> gauge("idgen.health", "lines") == 0.5);
        until(() -> gauge("idgen.store.outage", "lines") > 0);
        assertThat(count("idgen.store.failures", "lines")).isPositive();

        sources.lines().nextIds(Sources.STEP - 1);
        assertThat(gauge("idgen.segment.remaining", "lines")).isZero();
        assertThat(gauge("idgen.health", "lines")).isZero();
        until(() -> events("outage_began") == 1);

        sources.away = false;
        until(() -> gauge("idgen.health", "lines") == 1);
        assertThat(gauge("idgen.store.outage", "lines")).isZero();
        until(() -> events("outage_ended") == 1);
    }

    @Test
    void aSnowflakeIsDegradedWhileItsStoreIsAwayAndItsWindowLasts() {
        sources.orders().nextId();
        sources.away = true;
        until(() -> gauge("idgen.health", "orders") == 0.5);

        sources.orders().nextId();
        until(() -> gauge("idgen.store.outage", "orders") > 0);
        assertThat(count("idgen.store.failures", "orders")).isPositive();
        assertThat(gauge("idgen.worker.window.remaining", "orders")).isPositive();

        sources.away = false;
        until(() -> gauge("idgen.health", "orders") == 1);
    }

    @Test
    void aSnowflakeWithoutALeaseIsDownAndShowsWhoWaits() throws InterruptedException {
        sources.away = true;
        Thread caller = new Thread(() -> sources.orders().nextId());
        caller.start();
        until(() -> gauge("idgen.store.outage", "orders") > 0);
        until(() -> gauge("idgen.acquire.waiting", "orders") == 1);

        assertThat(gauge("idgen.health", "orders")).isZero();
        assertThat(gauge("idgen.worker.id", "orders")).isNaN();
        assertThat(gauge("idgen.worker.lease.remaining", "orders")).isNaN();

        sources.away = false;
        caller.join();
        until(() -> gauge("idgen.health", "orders") == 1); // the first id after the outage ends it
        assertThat(gauge("idgen.acquire.waiting", "orders")).isZero();
        assertThat(registry.get("idgen.acquire")
                        .tag("idgen.source", "orders")
                        .functionTimer()
                        .totalTime(SECONDS))
                .isPositive();
    }

    @Test
    void sourcesThatTheirDatabaseRefusesAreDownThoughItAnswers() {
        sources.refusing = true;
        assertThrows(IdGenerationException.class, () -> sources.lines().nextId());
        assertThrows(IdGenerationException.class, () -> sources.orders().nextId());

        assertThat(gauge("idgen.store.outage", "lines")).isZero();
        assertThat(gauge("idgen.health", "lines")).isZero();
        assertThat(gauge("idgen.health", "orders")).isZero();
    }

    @Test
    void aClosedSourceIsDownAndKeepsItsCounts() {
        sources.lines().nextIds(3);
        sources.close();

        assertThat(gauge("idgen.health", "lines")).isZero();
        assertThat(count("idgen.ids", "lines")).isEqualTo(3);
    }

    // ---- the life of sources ----

    @Test
    void theRegistryDoesNotKeepSourcesAliveThatTheApplicationHasDropped() {
        WeakReference<IdSources> dropped = boundAndDropped();

        for (int i = 0; i < 100 && dropped.get() != null; i++) {
            System.gc();
            LockSupport.parkNanos(10_000_000);
        }

        assertThat(dropped.get()).isNull();
        assertThat(gauge("idgen.health", "dropped")).isNaN();
        assertThat(count("idgen.store.failures", "dropped")).isZero();
    }

    /** In a method of its own, so that no local variable refers to the sources. */
    private WeakReference<IdSources> boundAndDropped() {
        IdSources sources = IdSources.builder()
                .set("idgen.worker.assigner", "single-process")
                .source("dropped")
                .build();
        new IdgenMetrics(sources).bindTo(registry);
        return new WeakReference<>(sources);
    }
}
