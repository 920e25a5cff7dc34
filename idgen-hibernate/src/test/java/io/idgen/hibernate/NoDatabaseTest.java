package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads the mapping without a database and without a setting for a worker id. Builds of native images and Spring's
 * ahead-of-time processing do the same.
 */
class NoDatabaseTest {
    /** Hibernate's dialect of this run's kind of database. */
    private static final Map<TestDatabase, String> DIALECTS = Map.of(
            TestDatabase.H2, "org.hibernate.dialect.H2Dialect",
            TestDatabase.POSTGRESQL, "org.hibernate.dialect.PostgreSQLDialect",
            TestDatabase.MARIADB, "org.hibernate.dialect.MariaDBDialect",
            TestDatabase.MYSQL, "org.hibernate.dialect.MySQLDialect");

    private static Unit.Builder unit(String strategy) {
        return Unit.of(Plain.class)
                .set("hibernate.dialect", DIALECTS.get(Run.KIND))
                .set("hibernate.boot.allow_jdbc_metadata_access", "false")
                .set("hibernate.hbm2ddl.auto", "none")
                .set("idgen.strategy", strategy);
    }

    @ParameterizedTest
    @CsvSource({"snowflake, IDGEN-105", "segment, IDGEN-405"})
    void aFactoryIsBuiltAndTheFirstIdNamesWhatIsMissing(String strategy, String error) {
        try (Unit unit = unit(strategy).boot()) {
            assertThatThrownBy(() -> EntityIds.of(unit.factory(), "plain").nextId())
                    .hasStackTraceContaining(error)
                    .hasStackTraceContaining("idgen.jdbc.url");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"snowflake", "segment"})
    void sourcesThatStartEagerlyInTheApplicationDoNotStartInItsBuild(String strategy) {
        try (Unit unit = unit(strategy).set("idgen.startup", "eager").boot()) {
            assertThat(unit.factory().isOpen()).isTrue();
        }
    }

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

    @ParameterizedTest
    @CsvSource({"snowflake, idgen_worker", "segment, idgen_counter"})
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
    @Test
    void aTypeThatIsTooNarrowIsRefusedAllTheSame() {
        assertThatThrownBy(() -> unit("snowflake")
                        .with(configuration -> configuration.addAnnotatedClass(Narrow.class))
                        .boot())
                .hasStackTraceContaining("IDGEN-501");
    }

    /** An entity whose id type is too narrow for any snowflake. */
    @Entity
    static class Narrow {
        @Id
        @SnowflakeId
        int id;
    }

    /** The control: with a database, a boot without a worker id fails at once, and not at the first id. */
    @Test
    void anApplicationThatHasADatabaseAndNoWorkerIdIsRefusedAtBoot() {
        try (Database database = Run.createDatabase()) {
            assertThatThrownBy(() -> Unit.of(Plain.class)
                            .on(database)
                            .set("idgen.worker.assigner", "fixed")
                            .boot())
                    .hasStackTraceContaining("IDGEN-105");
        }
    }
}
