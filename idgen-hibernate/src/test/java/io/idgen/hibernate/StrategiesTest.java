package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.SnowflakeLayout;
import io.idgen.jdbc.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same entities with another strategy, chosen by properties alone. */
class StrategiesTest {

    private static Unit.Builder segments(Class<?>... entities) {
        return Unit.of(entities).set("idgen.strategy", "segment").set("idgen.jdbc.initialize-schema", "always");
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void segmentsBeginAtOneForEachEntityOfAnEmptyDatabase(TestDatabase kind) {
        try (Database database = kind.create();
                Unit unit =
                        segments(Parent.class, Child.class).url(database.url()).boot()) {
            Parent parent = new Parent(3);

            unit.persist(parent);

            assertThat(parent.id).isOne();
            assertThat(parent.children).extracting(child -> child.id).containsExactly(1L, 2L, 3L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void segmentsBeginAboveTheRowsThatAreThere(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            execute(database, "CREATE TABLE parents (id BIGINT PRIMARY KEY)");
            execute(database, "INSERT INTO parents VALUES (48211)");
            try (Unit unit =
                    segments(Parent.class, Child.class).url(database.url()).boot()) {
                Parent parent = new Parent(0);
                unit.persist(parent);
                assertThat(parent.id).isEqualTo(48212);
            }
        }
    }

    @Test
    void oneEntityMayHaveAStrategyOfItsOwn() {
        try (Database database = TestDatabase.H2.create();
                Unit unit = Unit.of(Parent.class, Child.class)
                        .url(database.url())
                        .set("hibernate.idgen.sources.Child.strategy", "segment")
                        .boot()) {
            Parent parent = new Parent(1);

            unit.persist(parent);

            assertThat(parent.children.get(0).id).isOne();
            assertThat(parent.id).isGreaterThan(1L << 50);
        }
    }

    @Entity
    @Table(name = "invoices")
    static class Invoice {
        @Id
        @SnowflakeId(source = "documents")
        Long id;
    }

    @Entity
    @Table(name = "reminders")
    static class Reminder {
        @Id
        @SnowflakeId(source = "documents")
        Long id;
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aSharedSourceBeginsAboveTheRowsOfAllItsEntities(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            execute(database, "CREATE TABLE invoices (id BIGINT PRIMARY KEY)");
            execute(database, "CREATE TABLE reminders (id BIGINT PRIMARY KEY)");
            execute(database, "INSERT INTO invoices VALUES (70)");
            execute(database, "INSERT INTO reminders VALUES (69)");
            try (Unit unit =
                    segments(Reminder.class, Invoice.class).url(database.url()).boot()) {
                Invoice invoice = new Invoice();
                Reminder reminder = new Reminder();

                unit.persist(invoice, reminder);

                assertThat(invoice.id).isEqualTo(71);
                assertThat(reminder.id).isEqualTo(72);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aRollbackLeavesAGapAndRepeatsNothing(TestDatabase kind) {
        try (Database database = kind.create();
                Unit unit = segments(Plain.class).url(database.url()).boot()) {
            List<Long> rolledBack = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                try {
                    unit.factory().runInTransaction(manager -> {
                        Plain entity = new Plain();
                        manager.persist(entity);
                        rolledBack.add(entity.id);
                        throw new IllegalStateException("the business changed its mind");
                    });
                } catch (IllegalStateException expected) {
                    assertThat(expected).hasMessage("the business changed its mind");
                }
            }
            Plain kept = new Plain();
            unit.persist(kept);

            assertThat(rolledBack).hasSize(20).doesNotHaveDuplicates().doesNotContain(kept.id);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aPoolOfOneConnectionWithThirtyTwoThreadsDoesNotLock(TestDatabase kind) throws Exception {
        HikariConfig config = new HikariConfig();
        try (Database database = kind.create()) {
            config.setJdbcUrl(database.url());
            config.setMaximumPoolSize(1);
            try (HikariDataSource pool = new HikariDataSource(config);
                    Unit unit = segments(Parent.class, Child.class)
                            .set("idgen.segment.step", "10")
                            .dataSource(pool)
                            .boot()) {
                ExecutorService threads = Executors.newFixedThreadPool(32);
                List<Future<?>> runs = new ArrayList<>();
                for (int i = 0; i < 32; i++) {
                    runs.add(threads.submit(() -> unit.persist(new Parent(5))));
                }
                for (Future<?> run : runs) {
                    run.get();
                }
                threads.shutdown();

                assertThat(unit.count(Child.class)).isEqualTo(160);
            }
        }
    }

    @Test
    void aDataSourceOfItsOwnIsPreferredAndTheUnitsIsLeftAlone() {
        try (Database database = TestDatabase.H2.create()) {
            AtomicInteger own = new AtomicInteger();
            DataSource counted = ProxyDataSourceBuilder.create(database.dataSource())
                    .afterQuery((execution, queries) -> own.incrementAndGet())
                    .build();
            try (Unit unit = segments(Plain.class)
                    .countedDataSource(database.dataSource())
                    .set("idgen.jdbc.data-source", counted)
                    .boot()) {
                unit.resetCounts();

                unit.persist(new Plain());

                assertThat(own.get()).isPositive();
                assertThat(unit.statements.get()).isZero();
                assertThat(unit.batches.get()).isOne();
            }
        }
    }

    @Test
    void aDataSourceThatCannotBeCopiedIsRefusedWithTheWayOut() {
        try (Database database = TestDatabase.H2.create()) {
            assertThatThrownBy(() -> segments(Plain.class)
                            .dataSource(database.dataSource())
                            .boot())
                    .hasStackTraceContaining("IDGEN-405: source 'Plain' needs a database")
                    .hasStackTraceContaining("idgen.jdbc.data-source")
                    .hasStackTraceContaining("idgen.jdbc.url");
        }
    }

    @Test
    void onAServerNothingSetIsRefusedAtBootWithTheWayOut() {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            assertThatThrownBy(() -> Unit.of(Plain.class).url(database.url()).boot())
                    .hasStackTraceContaining("IDGEN-105")
                    .hasStackTraceContaining("set idgen.worker.id to a number from 0 to 31")
                    .hasStackTraceContaining("idgen.worker.assigner=single-process");
        }
    }

    @Test
    void onAServerAWorkerIdIsEnough() {
        try (Database database = TestDatabase.POSTGRESQL.create();
                Unit unit = Unit.of(Plain.class)
                        .url(database.url())
                        .set("idgen.worker.id", "7")
                        .boot()) {
            Plain entity = new Plain();
            unit.persist(entity);
            assertThat(SnowflakeLayout.IDGEN.parse(entity.id).worker()).isEqualTo(7);
        }
    }

    @Test
    void aMissingTableFailsTheFirstIdWithTheStatementThatMakesIt() {
        try (Database database = TestDatabase.POSTGRESQL.create();
                Unit unit = Unit.of(Plain.class)
                        .url(database.url())
                        .set("idgen.strategy", "segment")
                        .boot()) {
            assertThatThrownBy(() -> unit.persist(new Plain()))
                    .hasStackTraceContaining(new IdgenSchema(database.dataSource()).createScript());
        }
    }

    @Test
    void afterTheUnitIsClosedItsSourcesGiveNothing() {
        try (Database database = TestDatabase.H2.create()) {
            Unit unit = segments(Plain.class).url(database.url()).boot();
            unit.persist(new Plain());
            unit.close();

            assertThatThrownBy(() -> unit.persist(new Plain())).isInstanceOf(IllegalStateException.class);
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("idgen-refill") && thread.isAlive())
                    .allMatch(Thread::isDaemon);
        }
    }

    @Test
    void aClosedDatabaseIsAnErrorWithACodeAndNeverAnId() {
        try (Database database = TestDatabase.H2.create()) {
            try (Unit unit = segments(Plain.class)
                    .url(database.url())
                    .set("idgen.jdbc.url", "jdbc:h2:mem:absent;IFEXISTS=TRUE")
                    .set("idgen.acquire-timeout", "50ms")
                    .boot()) {
                assertThatThrownBy(() -> unit.persist(new Plain()))
                        .isInstanceOfSatisfying(
                                IdGenerationException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE));
            }
        }
    }

    private static void execute(Database database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
