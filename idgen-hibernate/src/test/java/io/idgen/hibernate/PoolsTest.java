package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Wrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A pool without settings of idgen, over a database that other processes can open. Transactions hold all connections of
 * the pool and then request their first ids. idgen leases worker ids and fetches segments on its own connections.
 */
@Tag("matrix")
class PoolsTest {
    private static final int THREADS = 3;

    private final Database database = Run.createSharedDatabase();
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void drop() {
        executor.shutdownNow();
        database.close();
    }

    private static Unit.Builder unit(DataSource pool) {
        // Parent uses snowflakes, and Child uses segments
        return Unit.of(Parent.class, Child.class)
                .set("idgen.sources.children.strategy", "segment")
                .dataSource(pool);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void transactionsThatHoldAllConnectionsGetTheirFirstIds(boolean isAlsoPassedToIdgen) throws Exception {
        try (HikariDataSource pool = poolOf(THREADS);
                Unit unit =
                        (isAlsoPassedToIdgen ? unit(pool).set("idgen.jdbc.data-source", pool) : unit(pool)).boot()) {
            assertThat(failures(unit)).isEmpty();

            assertThat(unit.count("Child")).isEqualTo(THREADS * 2);
        }
    }

    /**
     * The control: without idgen's own connections, the same transactions block each other, and the error explains
     * that.
     */
    @Test
    void aPoolThatTellsNothingIsNamedWhenItsThreadsBlockEachOtherAndWorksAgainAfterwards() throws Exception {
        try (HikariDataSource pool = poolOf(THREADS);
                Unit unit = unit(Wrapped.dataSource(pool::getConnection)).boot()) {
            List<Throwable> failures = failures(unit);
            assertThat(failures)
                    .isNotEmpty()
                    .allSatisfy(failure -> assertThat(failure)
                            .hasStackTraceContaining("IDGEN-301")
                            .hasStackTraceContaining("the application's pool (")
                            .hasStackTraceContaining("the threads that wait for ids hold all of them")
                            .hasStackTraceContaining("idgen.jdbc.url"));

            while (!persisted(unit)) {
                Thread.onSpinWait(); // until idgen's next attempt succeeds
            }
        }
    }

    private HikariDataSource poolOf(int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.plainUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(0); // no timeout
        return new HikariDataSource(config);
    }

    private static boolean persisted(Unit unit) {
        try {
            unit.persist(new Parent(2));
            return true;
        } catch (RuntimeException e) {
            assertThat(e).hasStackTraceContaining("IDGEN-301");
            return false;
        }
    }

    /** Returns the failures of transactions that each hold a connection before any of them requests an id. */
    private List<Throwable> failures(Unit unit) throws Exception {
        CyclicBarrier allHold = new CyclicBarrier(THREADS);
        List<Future<?>> runs = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            runs.add(executor.submit(() -> unit.inTransaction(session -> {
                session.createSelectionQuery("select count(*) from Parent", Long.class)
                        .getSingleResult();
                await(allHold);
                session.persist(new Parent(2));
            })));
        }
        List<Throwable> failures = new ArrayList<>();
        for (Future<?> run : runs) {
            try {
                run.get();
            } catch (ExecutionException e) {
                failures.add(e.getCause());
            }
        }
        return failures;
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
