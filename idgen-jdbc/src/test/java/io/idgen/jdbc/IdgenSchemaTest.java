package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.segment.Segment;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.internal.sql.WorkerRows;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import io.idgen.test.internal.Together;
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
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
@Tag("matrix")
class IdgenSchemaTest {
    private static final String[] TABLES = {"idgen_segment", "idgen_sequence", "idgen_stepped", "idgen_worker"};

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
    @EachDatabase
    void theRowsOfTheDefaultNamespaceAreTheSameOnEveryDatabase(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();

            assertThat(Sql.rows(
                            database.dataSource(),
                            "SELECT worker_id, namespace, layout, fence, lease_until, horizon, longest_window,"
                                    + " owner_token, owner_info FROM idgen_worker ORDER BY worker_id"))
                    .containsExactlyElementsOf(IntStream.rangeClosed(WorkerRows.LAYOUT_ROW, 1023)
                            .mapToObj(id ->
                                    id + " | default | " + SnowflakeLayout.IDGEN + " | 0 | 0 | 0 | 0 | null | null")
                            .toList());
            assertThat(Sql.rows(
                            database.dataSource(),
                            "SELECT COUNT(*) FROM idgen_segment UNION ALL SELECT COUNT(*) FROM idgen_sequence"
                                    + " UNION ALL SELECT COUNT(*) FROM idgen_stepped"))
                    .containsExactly("0", "0", "0");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL", "SQLITE"})
    void itsMigrationsRunBesideTheApplicationsAndLeaveTheirHistoryAlone(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            DataSource dataSource = database.dataSource();
            assertThat(applicationsFlyway(dataSource, "1").migrate().migrationsExecuted)
                    .isEqualTo(1);
            List<String> history = Sql.rows(dataSource, "SELECT * FROM \"flyway_schema_history\"");

            assertThat(idgensFlyway(dataSource).migrate().migrationsExecuted).isEqualTo(1);
            assertThat(new SegmentTable(dataSource).startingAt(1).allocate("orders", 10))
                    .isEqualTo(new Segment(1, 10, 1));
            assertThat(Sql.rows(dataSource, "SELECT * FROM \"flyway_schema_history\""))
                    .isEqualTo(history);

            assertThat(idgensFlyway(dataSource).migrate().migrationsExecuted).isZero();
            assertThat(applicationsFlyway(dataSource, "2").migrate().migrationsExecuted)
                    .isEqualTo(1);
            assertThat(idgensFlyway(dataSource).migrate().migrationsExecuted).isZero();
            assertThat(Sql.rows(
                            dataSource,
                            "SELECT \"version\" FROM \"flyway_schema_history\""
                                    + " WHERE \"type\" = 'SQL' ORDER BY \"installed_rank\""))
                    .containsExactly("1", "2");
            assertThat(Sql.rows(
                            dataSource,
                            "SELECT \"version\", \"script\" FROM \"" + IdgenSchema.FLYWAY_TABLE
                                    + "\" WHERE \"type\" = 'SQL'"))
                    .containsExactly("null | R__idgen_tables.sql");
        }
    }

    @ParameterizedTest
    @EachDatabase(except = {TestDatabase.HSQLDB, TestDatabase.DERBY}) // Flyway no longer publishes modules for them
    void aTableMadeByTheScriptMayBeHandedToFlywayLater(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            DataSource dataSource = database.dataSource();
            new IdgenSchema(dataSource).create();
            new SegmentTable(dataSource).startingAt(1).allocate("orders", 10);

            assertThat(idgensFlyway(dataSource).migrate().migrationsExecuted).isEqualTo(1);
            assertThat(new SegmentTable(dataSource).allocate("orders", 10)).isEqualTo(new Segment(11, 10, 1));
        }
    }

    @ParameterizedTest
    @EachDatabase
    void creatingTwiceKeepsWhatIsThere(TestDatabase kind) {
        try (Database database = kind.create()) {
            IdgenSchema schema = new IdgenSchema(database.dataSource());
            schema.create();
            new SegmentTable(database.dataSource()).startingAt(1).allocate("orders", 10);
            schema.create();

            assertThat(new SegmentTable(database.dataSource()).allocate("orders", 10))
                    .isEqualTo(new Segment(11, 10, 1));
        }
    }

    @ParameterizedTest
    @EachDatabase
    void manyProcessesMayCreateAtOnce(TestDatabase kind) throws Exception {
        for (int round = 0; round < 3; round++) {
            try (Database database = kind.create()) {
                Together.run(8, thread -> {
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
    void theScriptsCanBeRunByHand(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            IdgenSchema schema = new IdgenSchema(database.dataSource());
            byHand(database, schema.createScript());
            assertThat(tables(database)).containsExactly(TABLES);
            byHand(database, schema.dropScript());
            assertThat(tables(database)).isEmpty();
        }
    }

    @ParameterizedTest
    @EachDatabase
    void theFlywayLocationIsThatOfTheDatabase(TestDatabase kind) {
        try (Database database = kind.create()) {
            assertThat(new IdgenSchema(database.dataSource()).flywayLocation())
                    .isEqualTo("classpath:db/idgen/" + kind.name().toLowerCase().replaceAll("_by_.*", ""));
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
            assertThat(IdgenSchema.databases().stream().map(name -> IdgenSchema.dropScript(name, "ids.app_")))
                    .contains(schema.withPrefix("ids.app_").dropScript());
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
    void makingTheObjectOpensNoConnection() {
        new IdgenSchema(Wrapped.dataSource(() -> {
            throw new AssertionError("a connection was asked for");
        }));
    }

    @Test
    void aDatabaseThatIsNotKnownIsRefusedByName() {
        try (Database database = TestDatabase.H2.create()) {
            IdgenSchema schema = new IdgenSchema(Wrapped.calledBy("Frobnicate", database.dataSource()));

            for (Runnable use : List.<Runnable>of(
                    schema::createScript, schema::dropScript, schema::flywayLocation, schema::create, schema::drop)) {
                ConfigurationException e = assertThrows(ConfigurationException.class, use::run);
                assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_DATABASE);
                assertThat(e).hasMessageContaining("'Frobnicate'");
            }
        }
    }

    @Test
    void aDatabaseThatRefusesIsReportedWithItsError() throws SQLException {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            Sql.execute(
                    database.dataSource(),
                    "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database()"
                            + " || ' SET default_transaction_read_only = on'; END $$");
            AllocationException e =
                    assertThrows(AllocationException.class, () -> new IdgenSchema(database.dataSource()).create());

            assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_FAILED);
            assertThat(e).hasMessageContaining("creating the tables of idgen").hasMessageContaining("25006");
        }
    }

    /** Executes the statements one by one, as every database tool does. */
    private static void byHand(Database database, String script) throws SQLException {
        for (String statement : script.split(";\\s*(\n|$)")) {
            String sql = statement.replaceAll("(?m)^--.*", "").strip();
            if (!sql.isEmpty()) {
                Sql.execute(database.dataSource(), sql);
            }
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

    @ParameterizedTest
    @EachDatabase(except = {TestDatabase.HSQLDB, TestDatabase.DERBY}) // Flyway no longer publishes modules for them
    void theMigrationsMakeTablesThatWorkOnEveryDatabase(TestDatabase kind) {
        try (Database database = kind.create()) {
            DataSource dataSource = database.dataSource();

            assertThat(idgensFlyway(dataSource).migrate().migrationsExecuted).isEqualTo(1);
            assertThat(new SegmentTable(dataSource).startingAt(1).allocate("orders", 10))
                    .isEqualTo(new Segment(1, 10, 1));
            try (Snowflake snowflake = Snowflake.builder()
                    .leasedFrom(new JdbcWorkerIds(dataSource))
                    .build()) {
                assertThat(snowflake.nextId()).isPositive();
            }
            assertThat(idgensFlyway(dataSource).migrate().migrationsExecuted).isZero();
        }
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

    private static Flyway applicationsFlyway(DataSource dataSource, String target) {
        return Flyway.configure()
                .dataSource(dataSource)
                .locations("classpath:db/application")
                .target(target)
                .load();
    }
}
