package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.test.internal.ParallelThreads;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

@Tag("matrix")
class IdgenSchemaTest {
    private static final String[] TABLES = {"idgen_counter", "idgen_worker"};

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "MARIADB", "SQLITE"})
    void theScriptAndTheMigrationMakeTheSameTables(TestDatabase kind) throws SQLException {
        try (Database byScript = kind.create();
                Database byFlyway = kind.create()) {
            new IdgenSchema(byScript.dataSource()).create();
            idgensFlyway(byFlyway.dataSource()).migrate();

            assertThat(tables(byFlyway)).contains(TABLES);
            for (String table : TABLES) {
                assertThat(columns(byFlyway, table)).isEqualTo(columns(byScript, table));
                String rows = "SELECT * FROM " + table + " ORDER BY 1, 2";
                assertThat(Sql.rows(byFlyway.dataSource(), rows)).isEqualTo(Sql.rows(byScript.dataSource(), rows));
            }
        }
    }

    /** Returns the columns as the driver describes them, the primary key first. */
    private static List<String> columns(Database database, String table) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection()) {
            DatabaseMetaData metaData = connection.getMetaData();
            String name = metaData.storesUpperCaseIdentifiers() ? table.toUpperCase() : table;
            try (ResultSet keys = metaData.getPrimaryKeys(connection.getCatalog(), null, name)) {
                while (keys.next()) {
                    columns.add("key " + keys.getInt("KEY_SEQ") + " " + keys.getString("COLUMN_NAME"));
                }
            }
            assertThat(columns).isNotEmpty();
            try (ResultSet found = metaData.getColumns(connection.getCatalog(), null, name, "%")) {
                while (found.next()) {
                    columns.add(String.join(
                            " ",
                            found.getString("COLUMN_NAME"),
                            found.getString("TYPE_NAME"),
                            found.getString("COLUMN_SIZE"),
                            found.getString("IS_NULLABLE"),
                            found.getString("COLUMN_DEF")));
                }
            }
        }
        return columns;
    }

    @ParameterizedTest
    @EachDatabase(except = TestDatabase.HSQLDB) // Flyway no longer publishes a module for it
    void aTableMadeByTheScriptMayBeHandedToFlywayLater(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            DataSource dataSource = database.dataSource();
            new IdgenSchema(dataSource).create();
            new Counters(dataSource).startingAt(1).allocate("orders", 10);

            assertThat(idgensFlyway(dataSource).migrate().migrationsExecuted).isEqualTo(1);
            assertThat(new Counters(dataSource).allocate("orders", 10)).isEqualTo(new Segment(11, 10, 1));
        }
    }

    @ParameterizedTest
    @EachDatabase
    void manyProcessesMayCreateAtOnce(TestDatabase kind) throws Exception {
        for (int round = 0; round < 3; round++) {
            try (Database database = kind.create()) {
                ParallelThreads.run(8, thread -> {
                    new IdgenSchema(database.dataSource()).create();
                    return thread;
                });

                assertThat(tables(database)).containsExactly(TABLES);
            }
        }
    }

    @Test
    void creatingWhileAnotherProcessIsAboutToCommitTheSameIsHarmless() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create();
                Connection other = database.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            IdgenSchema schema = new IdgenSchema(database.dataSource());
            other.setAutoCommit(false);
            statement.execute(schema.createScript());
            FutureTask<Boolean> creating = new FutureTask<>(schema::create, true);
            new Thread(creating).start();
            Sql.sessionThatWaits(database.dataSource());
            other.commit();

            assertThat(creating.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @EachDatabase
    void droppingLeavesNothingAndMayBeRepeated(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            IdgenSchema schema = new IdgenSchema(database.dataSource());
            schema.create();
            assertThat(tables(database)).containsExactly(TABLES);
            schema.drop();
            schema.drop();

            assertThat(tables(database)).isEmpty();
        }
    }

    @ParameterizedTest
    @EachDatabase
    void theScriptsNeedNoDatabaseToBePrinted(TestDatabase kind) {
        try (Database database = kind.create()) {
            IdgenSchema schema = new IdgenSchema(database.dataSource());
            assertThat(IdgenSchema.databases().stream()
                            .map(name -> IdgenSchema.createScript(name, IdgenSchema.DEFAULT_PREFIX)))
                    .containsOnlyOnce(schema.createScript());
        }
    }

    @Test
    void aNameThatIsNoDatabaseIsRefused() {
        assertThat(assertThrows(IllegalArgumentException.class, () -> IdgenSchema.createScript("db2", "idgen_")))
                .hasMessageContaining("postgresql, mariadb")
                .hasMessageContaining("'db2'");
        assertThrows(IllegalArgumentException.class, () -> IdgenSchema.createScript("h2", "x; DROP"));
    }

    @Test
    void aDatabaseThatRefusesIsReportedWithItsError() throws SQLException {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            Sql.execute(
                    database.dataSource(),
                    "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database()"
                            + " || ' SET default_transaction_read_only = on'; END $$");
            PGSimpleDataSource newSessions = new PGSimpleDataSource();
            newSessions.setUrl(database.url());
            AllocationException e =
                    assertThrows(AllocationException.class, () -> new IdgenSchema(newSessions).create());

            assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
            assertThat(e).hasMessageContaining("creating the tables of idgen").hasMessageContaining("25006");
        }
    }

    private static List<String> tables(Database database) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                ResultSet rows = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), null, "%", new String[] {"TABLE", "BASE TABLE"})) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_NAME").toLowerCase());
            }
        }
        tables.removeIf(name -> !name.startsWith("idgen_"));
        Collections.sort(tables);
        return tables;
    }

    private static Flyway idgensFlyway(DataSource dataSource) {
        return Flyway.configure()
                .dataSource(dataSource)
                .locations(new IdgenSchema(dataSource).flywayLocation())
                .table(IdgenSchema.FLYWAY_TABLE)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load();
    }
}
