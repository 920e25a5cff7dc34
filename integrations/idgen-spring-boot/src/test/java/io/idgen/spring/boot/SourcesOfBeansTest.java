package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSource;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceBinder;
import io.idgen.core.config.WorkerIdAssigner;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.micrometer.IdgenEventMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests the beans of the application that idgen uses, and the beans that it adds. */
class SourcesOfBeansTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(IdgenAutoConfiguration.class))
            .withPropertyValues("idgen.sources.orders.strategy=snowflake");

    /** A source of the application. */
    private static final class Sevens implements IdSource {
        @Override
        public long nextId() {
            return 7;
        }

        @Override
        public void close() {}
    }

    private static long nextOrder(ApplicationContext context) {
        return context.getBean("ordersIdSource", IdSource.class).nextId();
    }

    @Test
    void aStrategyOfTheApplicationHasItsName() {
        runner.withBean(IdStrategy.class, () -> IdStrategy.of("sevens", Sevens::new))
                .withPropertyValues("idgen.sources.orders.strategy=sevens")
                .run(context -> assertThat(nextOrder(context)).isEqualTo(7));
    }

    @Test
    void aWorkerIdAssignerOfTheApplicationAssignsTheWorkerId() {
        runner.withBean(WorkerIdAssigner.class, () -> () -> 9)
                .run(context -> assertThat(
                                SnowflakeLayout.IDGEN.parse(nextOrder(context)).worker())
                        .isEqualTo(9));
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aLeaseStoreOfTheApplicationLeasesTheWorkerId(TestDatabase kind) {
        try (Database shop = kind.create();
                Database leases = kind.create()) {
            new IdgenSchema(leases.dataSource()).create();
            runner.withBean(DataSource.class, shop::dataSource)
                    .withBean(LeaseStore.class, () -> new JdbcWorkerIds(leases.dataSource()))
                    .run(context -> {
                        assertThat(nextOrder(context)).isPositive();
                        assertThat(new JdbcTemplate(leases.dataSource())
                                        .queryForObject(
                                                "SELECT count(*) FROM idgen_worker WHERE owner_token IS NOT NULL",
                                                Long.class))
                                .isOne();
                    });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void allListenersReceiveEachEventInTheirOrder(TestDatabase kind) {
        List<String> calls = new CopyOnWriteArrayList<>();
        CompletableFuture<IdgenEvent> last = new CompletableFuture<>();
        try (Database shop = kind.create()) {
            runner.withConfiguration(AutoConfigurations.of(IdgenActuatorAutoConfiguration.class))
                    .withBean(DataSource.class, shop::dataSource)
                    .withBean("aSecond", Second.class, () -> new Second(calls, last))
                    .withBean("bFirst", First.class, () -> new First(calls))
                    .withPropertyValues(
                            "idgen.jdbc.initialize-schema=always",
                            "idgen.acquire-timeout=1m",
                            "idgen.sources.orders.strategy=segment",
                            "idgen.sources.orders.start=1")
                    .run(context -> {
                        nextOrder(context);
                        assertThat(last.get(1, TimeUnit.MINUTES)).isNotNull();
                        // more events may follow at the same time
                        assertThat(List.copyOf(calls).subList(0, 2)).containsExactly("first", "second");

                        MeterRegistry registry = new SimpleMeterRegistry();
                        context.getBean(IdgenEventMetrics.class).bindTo(registry);
                        Await.until(
                                "an event that is counted",
                                () -> registry.get("idgen.events").functionCounters().stream()
                                        .anyMatch(counter -> counter.count() > 0));
                    });
        }
    }

    @Order(1)
    private record First(List<String> calls) implements IdgenListener {
        @Override
        public void onEvent(IdgenEvent event) {
            calls.add("first");
        }
    }

    @Order(2)
    private record Second(List<String> calls, CompletableFuture<IdgenEvent> received) implements IdgenListener {
        @Override
        public void onEvent(IdgenEvent event) {
            calls.add("second");
            received.complete(event);
        }
    }

    @Test
    void twoWorkerIdAssignersAreRefused() {
        runner.withBean("one", WorkerIdAssigner.class, () -> () -> 1)
                .withBean("two", WorkerIdAssigner.class, () -> () -> 2)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(WorkerIdAssigner.class.getName())
                        .hasStackTraceContaining("one,two"));
    }

    @Test
    void ofTwoWorkerIdAssignersThePrimaryOneIsUsed() {
        runner.withBean("one", WorkerIdAssigner.class, () -> () -> 1)
                .withBean("two", WorkerIdAssigner.class, () -> () -> 2, bean -> bean.setPrimary(true))
                .run(context -> assertThat(
                                SnowflakeLayout.IDGEN.parse(nextOrder(context)).worker())
                        .isEqualTo(2));
    }

    @Test
    void theSourcesOfTheApplicationReplaceThoseOfIdgen() {
        runner.withBean(
                        IdSources.class,
                        () -> IdSources.builder()
                                .source("orders")
                                .set("idgen.worker.id", "3")
                                .build())
                .run(context -> {
                    assertThat(context).doesNotHaveBean(SourceBinder.class).doesNotHaveBean(IdgenMigration.class);
                    assertThat(SnowflakeLayout.IDGEN.parse(nextOrder(context)).worker())
                            .isEqualTo(3);
                });
    }
}
