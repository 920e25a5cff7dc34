package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Await;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application passes its pool to {@link IdSources}. Threads that request ids hold the pool's connections. */
@Timeout(180)
@Tag("matrix")
class HandedInPoolTest {
    @AutoClose
    private final Database database = TestDatabase.POSTGRESQL.create();

    /** A pool of one connection. */
    private enum Pool {
        HIKARI {
            @Override
            DataSource open(Database database, String user, String password) {
                HikariDataSource pool = new HikariDataSource();
                pool.setJdbcUrl(database.plainUrl());
                pool.setUsername(user);
                pool.setPassword(password);
                pool.setMaximumPoolSize(1);
                return pool;
            }
        },

        TOMCAT {
            @Override
            DataSource open(Database database, String user, String password) {
                org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
                pool.setUrl(database.plainUrl());
                pool.setUsername(user);
                pool.setPassword(password);
                pool.setInitialSize(0);
                pool.setMaxActive(1);
                return pool;
            }
        },

        DBCP2 {
            @Override
            DataSource open(Database database, String user, String password) {
                BasicDataSource pool = new BasicDataSource();
                pool.setUrl(database.plainUrl());
                pool.setUsername(user);
                pool.setPassword(password);
                pool.setMaxTotal(1);
                return pool;
            }
        },

        C3P0 {
            @Override
            DataSource open(Database database, String user, String password) {
                ComboPooledDataSource pool = new ComboPooledDataSource();
                pool.setJdbcUrl(database.plainUrl());
                pool.setUser(user);
                pool.setPassword(password);
                pool.setInitialPoolSize(1);
                pool.setMinPoolSize(1);
                pool.setMaxPoolSize(1);
                return pool;
            }
        },

        AGROAL {
            @Override
            DataSource open(Database database, String user, String password) throws SQLException {
                return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                        .connectionPoolConfiguration(pool -> pool.maxSize(1)
                                .acquisitionTimeout(Duration.ofMinutes(2))
                                .connectionFactoryConfiguration(factory -> factory.jdbcUrl(database.plainUrl())
                                        .principal(new NamePrincipal(user))
                                        .credential(new SimplePassword(password)))));
            }
        };

        abstract DataSource open(Database database, String user, String password) throws SQLException;
    }

    private static void close(DataSource pool) throws Exception {
        if (pool instanceof AutoCloseable open) {
            open.close();
        } else if (pool instanceof org.apache.tomcat.jdbc.pool.DataSource tomcat) {
            tomcat.close(true);
        }
    }

    private static IdSources.Builder sources(DataSource pool) {
        return IdSources.builder()
                .resource(DataSource.class, pool)
                .set("idgen.strategy", "segment")
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.sources.orders.start", "1");
    }

    @ParameterizedTest
    @EnumSource
    void aThreadThatHoldsTheOnlyConnectionGetsIds(Pool kind) throws Exception {
        DataSource pool = kind.open(database, database.user(), database.password());
        try (IdSources sources = sources(pool).build();
                Connection held = pool.getConnection()) {
            held.setAutoCommit(false);

            assertThat(sources.get("orders").nextIds(3)).containsExactly(1, 2, 3);
        } finally {
            close(pool);
        }
    }

    /** The control: a pool that reports neither its URL nor its size, so that idgen uses the pool itself. */
    @Test
    void aPoolThatTellsNothingIsAskedItself() throws Exception {
        HikariDataSource pool = (HikariDataSource) Pool.HIKARI.open(database, database.user(), database.password());
        try (pool;
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

    /** Reports the size of a pool and nothing else. */
    public static final class Sized extends org.postgresql.ds.common.BaseDataSource implements DataSource {
        private final DataSource inner;
        private final int size;

        Sized(DataSource inner, int size) {
            this.inner = inner;
            this.size = size;
        }

        public int getMaxTotal() {
            return size;
        }

        @Override
        public String getUrl() {
            return null;
        }

        @Override
        public String getURL() {
            return null;
        }

        @Override
        public String getDescription() {
            return "a pool of a test";
        }

        @Override
        public Connection getConnection() throws SQLException {
            return inner.getConnection();
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLException("not a " + type.getName());
        }
    }

    @Test
    void aPoolWhoseThreadsBlockEachOtherIsNamedWithTheWayOutBeforeAnyTimeout() throws Exception {
        HikariDataSource pool = (HikariDataSource) Pool.HIKARI.open(database, database.user(), database.password());
        pool.setMaximumPoolSize(2);
        try (pool;
                IdSources sources = sources(new Sized(pool, 2))
                        .set("idgen.acquire-timeout", "10min")
                        .build()) {
            IdSource orders = sources.get("orders");
            try (Connection one = pool.getConnection();
                    Connection other = pool.getConnection()) {
                assertThat(one.isValid(5) && other.isValid(5)).isTrue();
                assertThat(assertThrows(IdUnavailableException.class, orders::nextId))
                        .hasMessageContaining(
                                "the application's pool (" + Sized.class.getName() + " with 2 connections)")
                        .hasMessageContaining("the threads that wait for ids hold all of them")
                        .hasMessageContaining("idgen.jdbc.url");
            }
            Await.until("ids when connections are back", () -> isIdGiven(orders));
        }
    }

    private static boolean isIdGiven(IdSource source) {
        try {
            return source.nextId() > 0;
        } catch (IdUnavailableException e) {
            return false;
        }
    }

    private static Stream<String> passwords() {
        return Stream.of("second", "third");
    }

    /** The test ends the sessions with the old password at each rotation, so the server requires the new one. */
    @ParameterizedTest
    @EnumSource(names = {"HIKARI", "TOMCAT", "DBCP2", "C3P0"})
    void aPasswordThatIsChangedInThePoolIsUsedForTheNextConnection(Pool kind) throws Exception {
        String user = "rotating_" + ProcessHandle.current().pid();
        Sql.execute(database.dataSource(), "CREATE ROLE " + user + " LOGIN PASSWORD 'first'");
        Sql.execute(database.dataSource(), "GRANT " + user + " TO CURRENT_USER");
        Sql.execute(database.dataSource(), "GRANT ALL ON SCHEMA public TO " + user);
        DataSource pool = kind.open(database, user, "first");
        try (IdSources sources =
                sources(pool).set("idgen.strategy", "sequence-table").build()) {
            IdSource orders = sources.get("orders");
            assertThat(orders.nextId()).isOne();
            for (String password : passwords().toList()) {
                Sql.execute(database.dataSource(), "ALTER ROLE " + user + " PASSWORD '" + password + "'");
                Sql.rows(
                        database.dataSource(),
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + user + "'");
                // the control: logins with the old password fail
                Await.until("a refused login", () -> isRefused(orders));
                setPassword(pool, password);
                Await.until("ids with the new password", () -> isIdGiven(orders));
            }
        } finally {
            close(pool);
            Sql.execute(database.dataSource(), "DROP OWNED BY " + user);
            Sql.execute(database.dataSource(), "DROP ROLE " + user);
        }
    }

    private static void setPassword(DataSource pool, String password) {
        if (pool instanceof HikariDataSource hikari) {
            hikari.getHikariConfigMXBean().setPassword(password);
        } else if (pool instanceof org.apache.tomcat.jdbc.pool.DataSource tomcat) {
            tomcat.setPassword(password);
        } else if (pool instanceof BasicDataSource dbcp) {
            dbcp.setPassword(password);
        } else if (pool instanceof ComboPooledDataSource c3p0) {
            c3p0.setPassword(password);
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
