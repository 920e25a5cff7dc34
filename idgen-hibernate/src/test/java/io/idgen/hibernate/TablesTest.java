package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests ids from a table in the entities' database, inside transactions and with pools of any size. */
class TablesTest {
    /** The calls other than statements that are round trips with some drivers. */
    private static final Set<String> ROUND_TRIPS =
            Set.of("getTransactionIsolation", "setTransactionIsolation", "commit", "rollback");

    @Test
    void segmentsBeginAboveTheRowsThatAreThere() throws SQLException {
        try (Database database = Run.createDatabase()) {
            execute(database, "CREATE TABLE parents (id BIGINT PRIMARY KEY)");
            execute(database, "INSERT INTO parents VALUES (48211)");
            try (Unit unit =
                    Unit.of(Parent.class, Child.class).segments().on(database).boot()) {
                Parent parent = new Parent(0);
                unit.persist(parent);
                assertThat(parent.id).isEqualTo(48212);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "sequence-table", "stepped", "native-sequence"})
    void aRollbackLeavesAGapAndRepeatsNothing(String strategy) throws SQLException {
        try (Database database = Run.createDatabase();
                Unit unit = Unit.of(Plain.class)
                        .segments()
                        .on(database)
                        .set("idgen.strategy", strategy)
                        .set("idgen.stepped.instance", "2")
                        .set("idgen.stepped.instances", "3")
                        .set("idgen.sources.plain.sequence", "plain_ids")
                        .boot()) {
            if (Run.hasSequences()) {
                // after the boot: idgen opens nothing before the first id
                execute(database, "CREATE SEQUENCE plain_ids");
            } else if (strategy.equals("native-sequence")) {
                assertThatThrownBy(() -> unit.persist(new Plain())).hasStackTraceContaining("has no sequences");
                return;
            }
            List<Long> rolledBack = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                try {
                    unit.inTransaction(session -> {
                        Plain entity = new Plain();
                        session.persist(entity);
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
    @ValueSource(ints = {1, 8})
    void aPoolOfOneConnectionOrOfOnePerThreadDoesNotLock(int connections) throws Exception {
        int threads = 8;
        HikariConfig config = new HikariConfig();
        try (Database database = Run.createDatabase()) {
            config.setJdbcUrl(database.url());
            config.setMaximumPoolSize(connections);
            config.setConnectionTimeout(0); // no timeout
            try (HikariDataSource pool = new HikariDataSource(config);
                    Unit unit = Unit.of(Parent.class, Child.class)
                            .segments()
                            .set("idgen.segment.step", "10")
                            .dataSource(pool)
                            .boot()) {
                ExecutorService executor = Executors.newFixedThreadPool(threads);
                List<Future<?>> runs = new ArrayList<>();
                for (int i = 0; i < 4 * threads; i++) {
                    runs.add(executor.submit(() -> unit.inTransaction(session -> {
                        // the thread holds a connection of the pool, and then requests ids
                        session.createSelectionQuery("select count(*) from Parent", Long.class)
                                .getSingleResult();
                        session.persist(new Parent(5));
                    })));
                }
                for (Future<?> run : runs) {
                    run.get();
                }
                executor.shutdown();

                assertThat(unit.count("Child")).isEqualTo(4 * threads * 5);
            }
        }
    }

    @Test
    void anIdFromATableIsItsStatementAloneWhateverThePoolDoesToItsConnections() {
        Queue<String> sent = new ConcurrentLinkedQueue<>();
        try (Database database = Run.createDatabase();
                HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(ProxyDataSourceBuilder.create(database.dataSource())
                    .afterMethod(call -> {
                        String method = call.getMethod().getName();
                        boolean opens = method.equals("setAutoCommit") && call.getMethodArgs()[0].equals(false);
                        if (Thread.currentThread().getName().equals("idgen-refill")
                                && (opens || ROUND_TRIPS.contains(method))) {
                            sent.add(method);
                        }
                    })
                    .build());
            pool.setAutoCommit(false);
            try (Unit unit = Unit.of(Named.class)
                    .set("idgen.strategy", "sequence-table")
                    .set("idgen.jdbc.initialize-schema", "always")
                    .set("idgen.acquire-timeout", "1m")
                    .dataSource(pool)
                    .boot()) {
                unit.persist(new Named("the one that makes the table and the row"));
                sent.clear();

                unit.persist(new Named("second"), new Named("third"));

                assertThat(sent).isEmpty();
            }
        }
    }

    @Test
    void theCallersTransactionIsNeitherCommittedNorJoined() {
        try (Database database = Run.createDatabase();
                Unit unit = Unit.of(Named.class)
                        .countedOn(database)
                        .segments()
                        .set("idgen.jdbc.url", database.url())
                        .boot()) {
            unit.persist(new Named("creates the row, for which the largest id of the entities is read"));
            unit.resetCounts();
            assertThatThrownBy(() -> unit.inTransaction(session -> {
                        session.persist(new Named("first"));
                        session.flush();
                        session.persist(new Named("second"));
                        session.flush();
                        throw new IllegalStateException("the business changed its mind");
                    }))
                    .hasMessage("the business changed its mind");
            assertThat(unit.connections.get()).isOne();
            assertThat(unit.count("Named")).isOne();

            Named kept = new Named("kept");
            unit.persist(kept);
            assertThat(kept.id).isEqualTo(4);
        }
    }

    @Test
    void aDataSourceOfItsOwnIsPreferredAndTheUnitsIsLeftAlone() {
        try (Database database = Run.createDatabase()) {
            AtomicInteger own = new AtomicInteger();
            DataSource counted = ProxyDataSourceBuilder.create(database.dataSource())
                    .afterQuery((execution, queries) -> own.incrementAndGet())
                    .build();
            try (Unit unit = Unit.of(Plain.class)
                    .segments()
                    .set("idgen.strategy", "sequence-table")
                    .countedOn(database)
                    .set("idgen.jdbc.data-source", counted)
                    .boot()) {
                unit.persist(new Plain()); // also reads the largest id, where the entities are
                unit.resetCounts();
                own.set(0);

                unit.persist(new Plain());

                assertThat(own.get()).isPositive();
                assertThat(unit.statements.get()).isZero();
                assertThat(unit.batches.get()).isOne();
            }
        }
    }

    @Test
    void aClosedDatabaseIsAnErrorWithACodeAndNeverAnId() {
        try (Database database = Run.createDatabase()) {
            try (Unit unit = Unit.of(Plain.class)
                    .segments()
                    .on(database)
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
        Sql.execute(database.dataSource(), sql);
    }
}
