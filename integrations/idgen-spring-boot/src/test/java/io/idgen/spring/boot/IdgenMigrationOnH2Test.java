package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import javax.sql.DataSource;
import liquibase.integration.spring.SpringLiquibase;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests in which database and schema Flyway and Liquibase create idgen's tables, and which settings are refused. */
class IdgenMigrationOnH2Test {
    @AutoClose
    private final Database shop = TestDatabase.H2.create();

    @AutoClose
    private final Database ids = TestDatabase.H2.create();

    private static ApplicationContextRunner with(String tool, String... settings) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(IdgenAutoConfiguration.class))
                .withPropertyValues(
                        "idgen.jdbc.initialize-schema=" + tool,
                        "idgen.acquire-timeout=1m", // on a busy machine, the first refill takes longer than 3 s
                        "idgen.sources.parcels.strategy=segment",
                        "idgen.sources.parcels.start=1")
                .withPropertyValues(settings);
    }

    private ApplicationContextRunner overShop(String tool, String... settings) {
        return with(tool, settings).withBean(DataSource.class, shop::dataSource);
    }

    private static void assertTables(Database database, String schema) {
        assertThat(new JdbcTemplate(database.dataSource())
                        .queryForObject("SELECT count(*) FROM " + schema + ".idgen_counter", Long.class))
                .isNotNegative();
    }

    private static void assertNoTables(Database database) {
        assertThatThrownBy(() -> assertTables(database, "PUBLIC")).hasStackTraceContaining("IDGEN_COUNTER");
    }

    /** As an application does whose migrations are those of Spring Boot. */
    @Configuration(proxyBeanMethods = false)
    @Import(DatabaseInitializationDependencyConfigurer.class)
    static class Dependencies {}

    /** If beans are created lazily, the migration runs only because the start of the sources depends on it. */
    @ParameterizedTest
    @ValueSource(strings = {"flyway", "liquibase"})
    void ifBeansAreCreatedLazilyEagerSourcesStillStartAfterTheMigration(String tool) {
        overShop(tool, "idgen.startup=eager")
                .withUserConfiguration(Dependencies.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertTables(shop, "PUBLIC");
                });
    }

    /** The control: without a migration, idgen creates the table with its first id. */
    @Test
    void withoutAToolTheStartCreatesNoTables() {
        overShop("never").run(context -> {
            assertThat(context).hasNotFailed();
            assertNoTables(shop);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"flyway", "liquibase"})
    void aMigrationOfTheApplicationForAnotherDatabaseDoesNotApply(String tool) {
        overShop(
                        tool,
                        "idgen.jdbc.url=" + ids.plainUrl(),
                        "idgen.jdbc.user=" + ids.user(),
                        "idgen.jdbc.password=" + ids.password())
                .withBean(Flyway.class, () -> flyway(shop, "APP"))
                .withBean(SpringLiquibase.class, () -> liquibase(shop, "APP"))
                .run(context -> {
                    assertTables(ids, "PUBLIC");
                    assertNoTables(shop);
                });
    }

    private static Flyway flyway(Database database, String schema) {
        return Flyway.configure()
                .dataSource(database.dataSource())
                .defaultSchema(schema)
                .load();
    }

    private static SpringLiquibase liquibase(Database database, String schema) {
        new JdbcTemplate(database.dataSource()).execute("CREATE SCHEMA IF NOT EXISTS " + schema);
        SpringLiquibase liquibase = new SpringLiquibase();
        liquibase.setDataSource(database.dataSource());
        liquibase.setDefaultSchema(schema);
        liquibase.setLiquibaseSchema(schema);
        liquibase.setShouldRun(false);
        return liquibase;
    }

    /** The connections of the application's migration are to another database, so that the test can tell them apart. */
    @Test
    void flywayHasTheConnectionsAndTheSchemaOfTheApplicationsFlyway() {
        overShop("flyway").withBean(Flyway.class, () -> flyway(ids, "APP")).run(context -> {
            assertTables(ids, "APP");
            assertNoTables(shop);
        });
    }

    @Test
    void liquibaseHasTheConnectionsAndTheHistorySchemaOfTheApplicationsLiquibase() {
        overShop("liquibase")
                .withBean(SpringLiquibase.class, () -> liquibase(ids, "APP"))
                .run(context -> {
                    assertTables(ids, "PUBLIC");
                    assertNoTables(shop);
                    assertThat(new JdbcTemplate(ids.dataSource())
                                    .queryForObject("SELECT count(*) FROM APP.idgen_changelog", Long.class))
                            .isOne();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"idgen.jdbc.schema", "spring.jpa.properties.hibernate.default_schema"})
    void flywayCreatesTheTablesInTheSchemaOfTheSettings(String setting) {
        overShop("flyway", setting + "=IDS")
                .withBean(Flyway.class, () -> flyway(shop, "APP"))
                .run(context -> assertTables(shop, "IDS"));
    }

    @ParameterizedTest
    @CsvSource({
        "flyway, idgen.jdbc.table-prefix=app_, it does not apply idgen.jdbc.table-prefix (app_)",
        "liquibase, idgen.jdbc.table-prefix=app_, it does not apply idgen.jdbc.table-prefix (app_)",
        "liquibase, idgen.jdbc.schema=ids, it does not apply idgen.jdbc.schema (ids)"
    })
    void namesThatTheScriptsDoNotHaveAreRefused(String tool, String setting, String message) {
        overShop(tool, setting).run(context -> {
            assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("idgen.jdbc.initialize-schema=" + tool + ": " + message)
                    .hasMessageContaining("IdgenSchema.createScript()");
            assertNoTables(shop);
        });
    }

    @Test
    void aToolWithoutADatabaseIsRefused() {
        with("flyway")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("idgen.jdbc.initialize-schema=flyway: there is no database; set"
                                + " spring.datasource.url, idgen.jdbc.data-source or idgen.jdbc.url"));
    }

    @Test
    void aFailureOfLiquibaseNamesItsCause() {
        new JdbcTemplate(shop.dataSource()).execute("CREATE TABLE idgen_changelog (id int)");

        overShop("liquibase")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Liquibase did not create the tables of idgen: "));
    }
}
