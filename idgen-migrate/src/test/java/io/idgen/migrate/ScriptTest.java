package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.migrate.Migration.To;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.resource.DirectoryResourceAccessor;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Flyway and Liquibase run the scripts of a migration, on the database of the plan and on others. */
@Tag("matrix")
@Timeout(300)
class ScriptTest {
    private static final int DOOR = 7;

    /** The tools. */
    private enum Tool {
        FLYWAY,
        LIQUIBASE;

        /** Writes the next scripts. */
        void write(Path folder, List<Script> scripts, int version) throws Exception {
            StringBuilder changelog = new StringBuilder("--liquibase formatted sql\n");
            for (int i = 0; i < scripts.size(); i++) {
                Script script = scripts.get(i);
                if (this == FLYWAY) {
                    String name = String.format(Locale.ROOT, "V%d_%02d__step_%d.sql", version, i, script.step());
                    Files.writeString(folder.resolve(name), script.flyway());
                }
                changelog.append('\n').append(script.liquibase(version + "_" + i));
            }
            if (this == LIQUIBASE) {
                Files.writeString(folder.resolve(version + ".sql"), changelog);
            }
        }

        void run(Library library, Path folder, int version) throws Exception {
            if (this == FLYWAY) {
                FluentConfiguration flyway = Flyway.configure()
                        .dataSource(library.dataSource())
                        .locations("filesystem:" + folder)
                        .baselineOnMigrate(true)
                        .baselineVersion("0");
                flyway.getConfigurationExtension(PostgreSQLConfigurationExtension.class)
                        .setTransactionalLock(false);
                flyway.load().migrate();
                return;
            }
            try (Connection connection = library.dataSource().getConnection()) {
                Scope.child(
                        Map.of(
                                "liquibase.analytics.enabled",
                                "false",
                                Scope.Attr.resourceAccessor.name(),
                                new DirectoryResourceAccessor(folder)),
                        () -> {
                            for (int i = 1; i <= version; i++) {
                                update(connection, i + ".sql");
                            }
                        });
            }
        }

        private static void update(Connection connection, String changelog) throws LiquibaseException {
            new CommandScope("update")
                    .addArgumentValue(
                            "database",
                            DatabaseFactory.getInstance()
                                    .findCorrectDatabaseImplementation(new JdbcConnection(connection)))
                    .addArgumentValue("changelogFile", changelog)
                    .execute();
        }
    }

    private static Library library() throws SQLException {
        return Library.with(Library.IDENTITY, 300);
    }

    private static void removeTables(Library library) throws SQLException {
        library.execute("DROP TABLE IF EXISTS flyway_schema_history, databasechangelog, databasechangeloglock");
    }

    @ParameterizedTest
    @EnumSource
    void theScriptsAndTheCommandInBetweenDoWhatTheMigrationDoes(Tool tool, @TempDir Path folder) throws Exception {
        try (Library library = library();
                Library other = library();
                Library byMigration = library()) {
            byMigration.apply(To.BIGINT);
            byMigration.migration(To.BIGINT).apply(DOOR, any -> {});
            List<Script> scripts = library.migration(To.BIGINT).scripts();
            assertThat(scripts).extracting(Script::step).doesNotContain(DOOR).contains(1, 2, 3, 4, 5, 6);
            assertThat(scripts)
                    .filteredOn(Script::needsCommand)
                    .extracting(Script::step)
                    .containsExactly(2);
            tool.write(folder, scripts, 1);

            assertThatThrownBy(() -> tool.run(library, folder, 1))
                    .hasStackTraceContaining(
                            "rows are not filled; run idgen migrate apply --yes --step 2, then this again");
            library.migration(To.BIGINT).apply(2, any -> {});
            tool.run(library, folder, 1);
            assertThat(library.migration(To.BIGINT).verify()).isNotEmpty().allMatch(Comparison::areEqual);

            List<Script> last = library.migration(To.BIGINT).scripts();
            assertThat(last).extracting(Script::step).containsOnly(DOOR);
            tool.write(folder, last, 2);
            tool.run(library, folder, 2);
            library.checkReferences();

            assertThatThrownBy(() -> tool.run(other, folder, 2)).hasStackTraceContaining("rows are not filled");
            other.migration(To.BIGINT).apply(2, any -> {});
            tool.run(other, folder, 2);

            removeTables(library);
            removeTables(other);
            assertThat(library.structure()).isEqualTo(byMigration.structure());
            assertThat(other.structure()).as("numbers of objects differ there").isEqualTo(byMigration.structure());
        }
    }

    /** A pipeline creates empty databases from all scripts at once. */
    @ParameterizedTest
    @EnumSource
    void aDatabaseWithoutRowsNeedsNoCommand(Tool tool, @TempDir Path folder) throws Exception {
        try (Library library = library();
                Library empty = library()) {
            tool.write(folder, library.migration(To.BIGINT).scripts(), 1);
            empty.execute("TRUNCATE book, loan, review");
            tool.run(empty, folder, 1);
            empty.execute("INSERT INTO book (id, title) VALUES (382324861541810176, 'new')");
        }
    }

    @Test
    void aRowThatIsNotFilledPreventsTheSwap() throws Exception {
        try (Library library = library()) {
            Migration migration = library.migration(To.BIGINT);
            for (int step = 1; step <= 5; step++) {
                migration.apply(step, any -> {});
            }
            library.execute(
                    "ALTER TABLE book DISABLE TRIGGER zzz_idgen",
                    "UPDATE book SET sequel_of = 1 WHERE id = 7",
                    "ALTER TABLE book ENABLE ALWAYS TRIGGER zzz_idgen");
            Script swap = migration.scripts().get(0);
            assertThatThrownBy(() -> library.execute(swap.flyway())).hasMessageContaining("rows are not filled");
        }
    }

    @Test
    void theDeploymentOfNewIdsIsMadeByHand() throws Exception {
        try (Library library = BeforeInsertOnPostgreSqlTest.library("BIGINT GENERATED ALWAYS AS IDENTITY", 20)) {
            Migration migration = library.migration(To.BEFORE_INSERT);
            List<Script> before = migration.scripts();
            assertThat(before).extracting(Script::step).containsExactly(1, 2);
            for (Script each : before) {
                library.execute(each.flyway());
            }
            assertThat(migration.scripts())
                    .allMatch(each -> each.step() == 3 && each.sql().isEmpty() && !each.needsCommand())
                    .hasSize(1);
            library.execute("INSERT INTO book (id, title) VALUES (382324861541810176, 'new')");
            Script last = migration.scripts().get(0);
            assertThat(last.step()).isEqualTo(4);
            library.execute(last.flyway());
            assertThat(migration.plan()).allMatch(Step::done);
        }
    }

    @ParameterizedTest
    @EachDatabase({TestDatabase.MARIADB, TestDatabase.MYSQL})
    void copiesOfTablesAreMadeByCommandsOnly(TestDatabase kind) throws Exception {
        try (Library library = Library.with(kind, "INT", 5)) {
            assertThat(library.migration(To.BIGINT).scripts())
                    .allMatch(each -> each.needsCommand() && each.sql().isEmpty())
                    .extracting(Script::step)
                    .containsExactly(1, 2, 3, 4);
        }
    }
}
