package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Map;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The mapping is read without a database and without a setting for a worker id, as by builds of native images and by
 * Spring's ahead-of-time processing.
 */
class NoDatabaseTest {
    /** Hibernate's dialect of this run's kind of database. */
    private static final Map<TestDatabase, String> DIALECTS = Map.of(
            TestDatabase.H2, "org.hibernate.dialect.H2Dialect",
            TestDatabase.POSTGRESQL, "org.hibernate.dialect.PostgreSQLDialect",
            TestDatabase.MARIADB, "org.hibernate.dialect.MariaDBDialect");

    /** No connection, as in Spring's ahead-of-time processing. */
    public static final class NoConnections implements ConnectionProvider {
        private static final long serialVersionUID = 1L;

        @Override
        public Connection getConnection() {
            throw new AssertionError("a connection was asked for");
        }

        @Override
        public void closeConnection(Connection connection) {}

        @Override
        public boolean supportsAggressiveRelease() {
            return false;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new AssertionError(type);
        }
    }

    private static Unit.Builder unit(String strategy) {
        return Unit.of(Plain.class)
                .set("hibernate.dialect", DIALECTS.get(Run.KIND))
                .set("hibernate.boot.allow_jdbc_metadata_access", "false")
                .set("hibernate.hbm2ddl.auto", "none")
                .set("idgen.strategy", strategy);
    }

    @Point(41)
    @ParameterizedTest
    @CsvSource({"snowflake, IDGEN-105", "segment, IDGEN-405"})
    void aFactoryIsBuiltAndTheFirstIdNamesWhatIsMissing(String strategy, String error) {
        try (Unit unit = unit(strategy)
                .set("hibernate.connection.provider_class", NoConnections.class.getName())
                .boot()) {
            assertThatThrownBy(() -> EntityIds.of(unit.factory(), "Plain").nextId())
                    .hasStackTraceContaining(error)
                    .hasStackTraceContaining("idgen.jdbc.url");
        }
    }

    @Point(41)
    @ParameterizedTest
    @ValueSource(strings = {"snowflake", "segment"})
    void metadataAreReadWithoutAnythingButADialect(String strategy) {
        try (StandardServiceRegistry registry = new StandardServiceRegistryBuilder()
                .applySetting("hibernate.dialect", DIALECTS.get(Run.KIND))
                .applySetting("hibernate.boot.allow_jdbc_metadata_access", "false")
                .applySetting("idgen.strategy", strategy)
                .build()) {
            assertThat(new MetadataSources(registry)
                            .addAnnotatedClass(Plain.class)
                            .buildMetadata()
                            .getEntityBindings())
                    .hasSize(1);
        }
    }

    @Point(41)
    @ParameterizedTest
    @CsvSource({"snowflake, idgen_worker", "segment, idgen_segment"})
    void scriptsOfABuildHaveTheTableThatTheApplicationWillNeed(String strategy, String table, @TempDir Path folder)
            throws Exception {
        Path script = folder.resolve("create.sql");
        unit(strategy)
                .set("jakarta.persistence.schema-generation.scripts.action", "create")
                .set("jakarta.persistence.schema-generation.scripts.create-target", script.toString())
                .boot()
                .close();

        assertThat(Files.readString(script)).contains("CREATE TABLE IF NOT EXISTS " + table + " (");
    }

    /** The type is checked against the largest id of any worker, so no worker id has to be known. */
    @Point(41)
    @Test
    void aTypeThatIsTooNarrowIsRefusedAllTheSame() {
        assertThatThrownBy(() -> unit("snowflake")
                        .with(configuration -> configuration.addAnnotatedClass(Narrow.class))
                        .boot())
                .hasStackTraceContaining("IDGEN-502");
    }

    /** A number that no snowflake fits into. */
    @jakarta.persistence.Entity
    static class Narrow {
        @jakarta.persistence.Id
        @SnowflakeId
        int id;
    }

    /** The control: where there is a database, a start without a worker id is refused at once, and not by the first id. */
    @Point(41)
    @Test
    void anApplicationThatHasADatabaseAndNoWorkerIdIsRefusedAtBoot() {
        try (var database = Run.createDatabase()) {
            assertThatThrownBy(() -> Unit.of(Plain.class)
                            .on(database)
                            .set("idgen.worker.assigner", "fixed")
                            .boot())
                    .hasStackTraceContaining("IDGEN-105");
        }
    }
}
