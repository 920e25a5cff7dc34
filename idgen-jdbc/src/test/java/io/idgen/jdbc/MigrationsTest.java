package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.segment.Segment;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** idgen's migrations together with those of the application, with Flyway and with Liquibase. */
@Tag("nightly")
class MigrationsTest {
    private static final String APPLICATION = "classpath:db/application";

    private static Flyway flyway(DataSource dataSource, String target, String... locations) {
        return configured(dataSource, target, locations).load();
    }

    private static FluentConfiguration configured(DataSource dataSource, String target, String... locations) {
        return Flyway.configure().dataSource(dataSource).locations(locations).target(target);
    }

    private static String idgens(DataSource dataSource) {
        return new IdgenSchema(dataSource).flywayLocation();
    }

    private static void assertTablesWork(DataSource dataSource) {
        assertThat(new Counters(dataSource).startingAt(1).allocate("orders", 10))
                .isEqualTo(new Segment(1, 10, 1));
        try (Snowflake snowflake =
                Snowflake.builder().leasedFrom(new JdbcWorkerIds(dataSource)).build()) {
            assertThat(snowflake.nextId()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB", "SQLITE"})
    void oneFlywayRunsBothLocationsAndTheApplicationsVersionsGoOn(TestDatabase kind) {
        try (Database database = kind.create()) {
            DataSource dataSource = database.dataSource();
            assertThat(flyway(dataSource, "1", APPLICATION, idgens(dataSource)).migrate().migrationsExecuted)
                    .isEqualTo(2);
            assertTablesWork(dataSource);

            Flyway next = flyway(dataSource, "latest", APPLICATION, idgens(dataSource));
            assertThat(next.migrate().migrationsExecuted).isEqualTo(1);
            next.validate();
        }
    }

    /** A baseline must not skip idgen's migration, whatever its version. Flyway's own default is 1. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void aBaselineSwallowsNothing(TestDatabase kind) {
        try (Database database = kind.create()) {
            DataSource dataSource = database.dataSource();
            flyway(dataSource, "1", APPLICATION).migrate();

            assertThat(configured(dataSource, "latest", idgens(dataSource))
                            .table(IdgenSchema.FLYWAY_TABLE)
                            .baselineOnMigrate(true)
                            .load()
                            .migrate()
                            .migrationsExecuted)
                    .isEqualTo(1);
            assertTablesWork(dataSource);
            assertThat(flyway(dataSource, "latest", APPLICATION).migrate().migrationsExecuted)
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    // With MySQL's driver, Liquibase treats MariaDB as MySQL.
    @EachDatabase(except = {TestDatabase.MARIADB_BY_MYSQL_DRIVER, TestDatabase.MYSQL_BY_MARIADB_DRIVER})
    void theChangelogOfLiquibaseMakesTheSameTablesOnce(TestDatabase kind) throws Exception {
        try (Database byLiquibase = kind.create();
                Database byScript = kind.create()) {
            new IdgenSchema(byScript.dataSource()).create();
            for (int run = 0; run < 2; run++) {
                update(byLiquibase.dataSource(), IdgenSchema.LIQUIBASE_CHANGELOG);
            }

            for (String table : List.of("idgen_counter", "idgen_worker")) {
                String rows = "SELECT * FROM " + table + " ORDER BY 1, 2";
                assertThat(Sql.rows(byLiquibase.dataSource(), rows)).isEqualTo(Sql.rows(byScript.dataSource(), rows));
            }
            assertThat(changes(byLiquibase.dataSource()))
                    .containsExactly("idgen-tables-" + kind.name().toLowerCase());
            assertTablesWork(byLiquibase.dataSource());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB"})
    void theApplicationsChangelogIncludesIdgens(TestDatabase kind) throws Exception {
        try (Database database = kind.create()) {
            update(database.dataSource(), "db/application-liquibase/changelog.xml");

            assertThat(changes(database.dataSource()))
                    .containsExactly("orders", "idgen-tables-" + kind.name().toLowerCase());
            assertTablesWork(database.dataSource());
        }
    }

    private static List<String> changes(DataSource dataSource) throws SQLException {
        return Sql.rows(dataSource, "SELECT ID FROM DATABASECHANGELOG ORDER BY ORDEREXECUTED");
    }

    private static void update(DataSource dataSource, String changelog) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            Scope.child(Map.of("liquibase.analytics.enabled", "false"), () -> {
                updateOn(connection, changelog);
            });
        }
    }

    private static void updateOn(Connection connection, String changelog) throws LiquibaseException {
        new CommandScope("update")
                .addArgumentValue(
                        "database",
                        DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new JdbcConnection(connection)))
                .addArgumentValue("changelogFile", changelog)
                .execute();
    }
}
