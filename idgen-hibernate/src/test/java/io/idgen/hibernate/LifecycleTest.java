package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import io.idgen.jdbc.testing.Database;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests when sources are opened and closed, and who shares them. */
class LifecycleTest {
    @AutoClose
    private final Database database = Run.createDatabase();

    private Unit.Builder unit() {
        return Unit.of(Parent.class, Child.class).on(database);
    }

    @Test
    void twoUnitsInOneProcessShareTheirWorkerIdAndRepeatNothing() {
        try (Database other = Run.createDatabase();
                Unit one = Unit.of(Plain.class).on(database).boot();
                Unit two = Unit.of(Plain.class).on(other).boot()) {
            Set<Long> ids = new HashSet<>();
            for (int i = 0; i < 200; i++) {
                Plain first = new Plain();
                Plain second = new Plain();
                one.persist(first);
                two.persist(second);
                ids.add(first.id);
                ids.add(second.id);
            }
            assertThat(ids).hasSize(400);
        }
    }

    @Test
    void closingOneUnitLeavesTheOtherWorking() {
        try (Unit left = Unit.of(Plain.class).on(database).segments().boot()) {
            Unit closed = Unit.of(Plain.class).on(database).segments().boot();
            closed.persist(new Plain());
            closed.close();
            Plain entity = new Plain();
            left.persist(entity);
            assertThat(entity.id).isGreaterThan(1);
        }
    }

    @Test
    void sourcesAreClosedOnceWithTheirUnit() {
        CountingStrategy strategy = new CountingStrategy();
        Unit unit = unit().set("idgen.strategy", strategy).boot();
        unit.persist(new Parent(3));
        assertThat(strategy.opened).hasValue(2);

        unit.close();
        unit.close();

        assertThat(strategy.closed).hasValue(2);
        assertThatThrownBy(() -> unit.persist(new Parent(1))).isInstanceOf(IllegalStateException.class);
    }

    private SourceBinder sharedBinder() {
        return SourceBinder.of(IdSources.builder()
                .resource(DataSource.class, database.dataSource())
                .set("idgen.strategy", "segment")
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.acquire-timeout", "1m"));
    }

    @Test
    void theSourcesOfAFrameworkStayOpenAndContinueWhenTheUnitIsClosed() {
        SourceBinder shared = sharedBinder();
        Plain entity = new Plain();
        try (Unit unit = Unit.of(Plain.class)
                .on(database)
                .set("idgen.source-binder", shared)
                .boot()) {
            unit.persist(entity);
        }
        try (IdSources sources = shared.sources()) {
            assertThat(entity.id).isOne();
            assertThat(sources.get("plain").nextId()).isEqualTo(2);
        }
    }

    /** Rows in two schemas begin at the same id. */
    @Test
    void theSourcesOfAFrameworkWithTheirTablesInAnotherSchemaAreRefused() {
        assertThatThrownBy(() -> bootShared("other"))
                .hasStackTraceContaining("idgen's tables would be in 'other'")
                .hasStackTraceContaining("ids would repeat");
        bootShared("").close();
    }

    private Unit bootShared(String schema) {
        return Unit.of(Plain.class)
                .on(database)
                .set("idgen.source-binder", sharedBinder())
                .set("idgen.source-binder.schema", schema)
                .boot();
    }

    @Test
    void theUnitsOfOneServiceRegistryShareTheirSourcesUntilTheLastIsClosed() {
        CountingStrategy strategy = new CountingStrategy();
        StandardServiceRegistry registry = new StandardServiceRegistryBuilder()
                .applySetting("jakarta.persistence.jdbc.url", database.url())
                .applySetting("hibernate.hbm2ddl.auto", "update")
                .applySetting("idgen.strategy", strategy)
                .build();
        SessionFactory one = new MetadataSources(registry)
                .addAnnotatedClass(Plain.class)
                .buildMetadata()
                .buildSessionFactory();
        SessionFactory two = new MetadataSources(registry)
                .addAnnotatedClass(Plain.class)
                .buildMetadata()
                .buildSessionFactory();
        one.inTransaction(session -> session.persist(new Plain()));
        Plain second = new Plain();
        two.inTransaction(session -> session.persist(second));

        assertThat(strategy.opened).hasValue(1);
        assertThat(second.id).isEqualTo(1001);
        one.close();
        assertThat(strategy.closed).hasValue(0);
        two.close();
        assertThat(strategy.closed).hasValue(1);
    }

    @Test
    void aBootThatFailsLeavesNoThreadSourceOrConnectionBehind() {
        CountingStrategy strategy = new CountingStrategy();
        AtomicInteger connections = new AtomicInteger();
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        assertThatThrownBy(() -> unit().set("idgen.strategy", strategy)
                        .set("idgen.sources.children.strategy", "segment")
                        .set("idgen.sources.Nobody.strategy", "segment")
                        .set("idgen.jdbc.data-source", counted(database.dataSource(), connections))
                        // otherwise Hibernate creates the tables, and idgen opens a connection to check that this is
                        // its database
                        .set("idgen.jdbc.initialize-schema", "always")
                        .boot())
                .hasStackTraceContaining("IDGEN-104");

        assertThat(strategy.opened).hasValue(0);
        assertThat(connections).hasValue(0);
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !before.contains(thread))
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("idgen"));
    }

    @Test
    void whatIsClosedLeavesNoPoolAndOnlyThreadsThatEnd() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(2);
        config.setPoolName("applications");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Unit unit = Unit.of(Plain.class).segments().dataSource(pool).boot();
            unit.persist(new Plain());
            unit.close();

            assertThat(pool.isClosed()).isFalse();
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("idgen-refill") && thread.isAlive())
                    .allMatch(Thread::isDaemon);
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().startsWith("applications-idgen")) {
                    thread.join(60_000); // the pool of this thread is closed; the thread ends a little later
                    assertThat(thread.isAlive()).as(thread.getName()).isFalse();
                }
            }
        }
    }

    @Test
    void aBootOpensNothingOfIdgens() {
        AtomicInteger connections = new AtomicInteger();
        CountingStrategy strategy = new CountingStrategy();
        try (Unit unit = unit().segments()
                .set("idgen.sources.children.strategy", strategy)
                .set("idgen.jdbc.data-source", counted(database.dataSource(), connections))
                .boot()) {
            assertThat(connections).hasValue(0);
            assertThat(strategy.opened).hasValue(0);

            unit.persist(new Parent(1));

            assertThat(connections.get()).isPositive();
            assertThat(strategy.opened).hasValue(1);
        }
    }

    @Test
    void twoGeneratorsOfOneEntityShareItsSource() {
        CountingStrategy strategy = new CountingStrategy();
        try (Unit unit = unit().set("idgen.strategy", strategy).boot()) {
            unit.persist(new Parent(2));
            unit.inTransaction(session -> session.merge(new Parent(0)));
            unit.insertStateless(new Parent(0));
            List<Long> ids = unit.factory()
                    .fromTransaction(session -> session.createSelectionQuery(
                                    "select p.id from Parent p order by p.id", Long.class)
                            .getResultList());
            assertThat(ids).containsExactly(1000L, 1001L, 1002L);
            assertThat(strategy.opened).hasValue(2);
        }
    }

    private static DataSource counted(DataSource dataSource, AtomicInteger connections) {
        return ProxyDataSourceBuilder.create(dataSource)
                .afterMethod(call -> {
                    if (call.getMethod().getName().equals("getConnection")) {
                        connections.incrementAndGet();
                    }
                })
                .build();
    }
}
