package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.zaxxer.hikari.HikariDataSource;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.internal.connection.ApplicationDatabase;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application passes its pool to {@link IdSources}. Threads that request ids hold the pool's connections. */
@Tag("matrix")
class HandedInPoolTest {
    @AutoClose
    private final Database database = TestDatabase.POSTGRESQL.create();

    private HikariDataSource pool(int connections, String user, String password) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(database.plainUrl());
        pool.setUsername(user);
        pool.setPassword(password);
        pool.setMaximumPoolSize(connections);
        return pool;
    }

    private HikariDataSource pool(int connections) {
        return pool(connections, database.user(), database.password());
    }

    private static IdSources.Builder sources(DataSource pool) {
        return settings(IdSources.builder().resource(DataSource.class, pool));
    }

    private static IdSources.Builder settings(IdSources.Builder builder) {
        return builder.set("idgen.strategy", "segment")
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.sources.orders.start", "1");
    }

    @Test
    void aThreadThatHoldsTheOnlyConnectionGetsIds() throws Exception {
        try (HikariDataSource pool = pool(1);
                IdSources sources = sources(pool).build();
                Connection held = pool.getConnection()) {
            held.setAutoCommit(false);

            assertThat(sources.get("orders").nextIds(3)).containsExactly(1, 2, 3);
        }
    }

    /** The control: a data source of another type, so that idgen uses it itself. */
    @Test
    void anotherPoolIsUsedItself() throws Exception {
        try (HikariDataSource pool = pool(1);
                IdSources sources = sources(Wrapped.dataSource(pool::getConnection))
                        .set("idgen.strategy", "sequence-table")
                        .set("idgen.jdbc.timeout", "500ms")
                        .build()) {
            IdSource orders = sources.get("orders");
            Await.until("ids while the connection is free", () -> isIdGiven(orders));
            try (Connection held = pool.getConnection()) {
                assertThat(held.isValid(5)).isTrue();
                Await.failure("no connection within 500 ms", orders::nextId);
            }
            Await.until("ids when the connection is back", () -> isIdGiven(orders));
        }
    }

    @Test
    void aPoolOfTheApplicationWhoseThreadsBlockEachOtherIsNamedWithTheWayOutBeforeAnyTimeout() throws Exception {
        try (HikariDataSource pool = pool(2)) {
            DataSource opaque = Wrapped.dataSource(pool::getConnection);
            try (IdSources sources = settings(IdSources.builder()
                                    .resource(ApplicationDatabase.class, ApplicationDatabase.of(opaque)))
                            .set("idgen.acquire-timeout", "10min")
                            .build();
                    Connection held = pool.getConnection()) {
                IdSource orders = sources.get("orders");
                try (Connection other = pool.getConnection()) {
                    assertThat(held.isValid(5) && other.isValid(5)).isTrue();
                    assertThat(assertThrows(IdUnavailableException.class, orders::nextId))
                            .hasMessageContaining("the application's pool ("
                                    + opaque.getClass().getName() + ")")
                            .hasMessageContaining("the threads that wait for ids hold all of them")
                            .hasMessageContaining("idgen.jdbc.url");
                }
                Await.until("ids when a connection is back", () -> isIdGiven(orders));
            }
        }
    }

    private static boolean isIdGiven(IdSource source) {
        try {
            return source.nextId() > 0;
        } catch (IdUnavailableException e) {
            return false;
        }
    }

    /** The test ends the sessions with the old password at each rotation, so the server requires the new one. */
    @Test
    void aPasswordThatIsChangedInThePoolIsUsedForTheNextConnection() throws Exception {
        String user = "rotating_" + ProcessHandle.current().pid();
        Sql.execute(database.dataSource(), "CREATE ROLE " + user + " LOGIN PASSWORD 'first'");
        Sql.execute(database.dataSource(), "GRANT " + user + " TO CURRENT_USER");
        Sql.execute(database.dataSource(), "GRANT ALL ON SCHEMA public TO " + user);
        try (HikariDataSource pool = pool(1, user, "first");
                IdSources sources =
                        sources(pool).set("idgen.strategy", "sequence-table").build()) {
            IdSource orders = sources.get("orders");
            assertThat(orders.nextId()).isOne();
            for (String password : List.of("second", "third")) {
                Sql.execute(database.dataSource(), "ALTER ROLE " + user + " PASSWORD '" + password + "'");
                Sql.rows(
                        database.dataSource(),
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + user + "'");
                // the control: logins with the old password fail
                Await.until("a refused login", () -> isRefused(orders));
                pool.getHikariConfigMXBean().setPassword(password);
                Await.until("ids with the new password", () -> isIdGiven(orders));
            }
        } finally {
            Sql.execute(database.dataSource(), "DROP OWNED BY " + user);
            Sql.execute(database.dataSource(), "DROP ROLE " + user);
        }
    }

    private static boolean isRefused(IdSource source) {
        try {
            source.nextId();
            return false;
        } catch (IdUnavailableException e) {
            return String.valueOf(e.getMessage()).contains("password authentication failed");
        }
    }
}
