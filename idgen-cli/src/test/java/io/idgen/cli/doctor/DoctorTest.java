package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.internal.sql.SchemaScript;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorTest {

    private static List<Finding> examine(Database database) {
        return Doctor.examine(new KnownTables(database.dataSource()), InstantSource.system());
    }

    private static List<String> wrong(List<Finding> findings) {
        return of(Level.WRONG, findings);
    }

    private static List<String> warnings(List<Finding> findings) {
        return of(Level.WARN, findings);
    }

    private static List<String> of(Level level, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.level() == level)
                .map(finding -> finding.subject() + ": " + finding.text())
                .toList();
    }

    private static String all(List<Finding> findings) {
        return String.join("\n", findings.stream().map(Finding::text).toList());
    }

    @Tag("databases")
    @ParameterizedTest
    @EachDatabase
    void findsEveryDatabaseHealthyWhileItsWorkersRun(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(database.dataSource(), "INSERT INTO idgen_counter (name, next_id) VALUES ('orders', 7)");
            try (Snowflake snowflake = Snowflake.builder()
                    .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                    .build()) {
                snowflake.nextId();

                List<Finding> findings = examine(database);

                assertThat(wrong(findings)).isEmpty();
                assertThat(warnings(findings)) // the test servers are configured for speed
                        .allMatch(
                                text -> text.matches(
                                        "(durability: (fsync=off|innodb_flush_log_at_trx_commit=0(, sync_binlog=0)?)|restarts): .*a crash can lose .*"));
                assertThat(all(findings))
                        .contains("1 of 1024 leased, 1023 free", "this host's clock is")
                        .contains("idgen_worker, idgen_counter exist")
                        .containsPattern("ends at 2093-09-06T15:47:35.551Z, \\d+.\\d % of its time is used")
                        .containsPattern("ticks are granted up to \\d+ s ahead, until 20\\S+Z \\(\\d{13}\\)")
                        .contains("orders: next id 7, 0.00 % of what an int column holds")
                        .contains("2 at a time");
            }
        }
    }

    @Tag("databases")
    @Tag("servers")
    @ParameterizedTest
    @EachDatabase({TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void aTableWhoseRowsACrashLosesIsWrong(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();
            boolean isPostgreSql = kind == TestDatabase.POSTGRESQL;
            Sql.execute(
                    database.dataSource(),
                    "ALTER TABLE idgen_counter " + (isPostgreSql ? "SET UNLOGGED" : "ENGINE = MyISAM"));

            assertThat(wrong(examine(database)))
                    .anySatisfy(text -> assertThat(text)
                            .startsWith("durability: ")
                            .contains(
                                    "a crash loses rows of idgen_counter",
                                    "ALTER TABLE idgen_counter " + (isPostgreSql ? "SET LOGGED" : "ENGINE = InnoDB")));
        }
    }

    @Tag("databases")
    @Test
    void aColumnWithRowsThatAPolicyHidesIsRefusedAlsoByARepair() throws SQLException {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            new IdgenSchema(database.dataSource()).create();
            insert(database, "orders", 4, 0, 0);
            String user = "clerk_" + System.nanoTime();
            for (String each : List.of(
                    "CREATE TABLE orders (id bigint)",
                    "INSERT INTO orders SELECT generate_series(1, 5000)",
                    "ALTER TABLE orders ENABLE ROW LEVEL SECURITY",
                    "CREATE POLICY few ON orders USING (id < 4)",
                    "CREATE ROLE " + user + " LOGIN PASSWORD 'clerk'",
                    "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO " + user)) {
                Sql.execute(database.dataSource(), each);
            }
            KnownTables tables = new KnownTables(
                            new UrlDataSource(database.plainUrl(), user, "clerk", Duration.ofSeconds(5)))
                    .withColumn("orders", "orders.id");

            assertThat(assertThrows(AllocationException.class, () -> Doctor.examine(tables, InstantSource.system())))
                    .hasMessageContaining("row-level security");
            assertThat(assertThrows(
                            AllocationException.class, () -> Repair.of(tables).afterRestore("default")))
                    .hasMessageContaining("row-level security");
            assertThat(Sql.number(database.dataSource(), "SELECT next_id FROM idgen_counter"))
                    .isEqualTo(4);
            Sql.execute(database.dataSource(), "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM " + user);
            Sql.execute(database.dataSource(), "DROP ROLE " + user);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    jdbc:h2:file:%s                             | SELECT 1                       | WRITE_DELAY=500
                    jdbc:h2:file:%s                             | SET WRITE_DELAY 0              | WRITE_DELAY=0
                    jdbc:hsqldb:file:%s                         | SET FILES WRITE DELAY 2 MILLIS | hsqldb.write_delay_millis=2
                    jdbc:hsqldb:file:%s;hsqldb.write_delay=false | CALL 1                        |
                    jdbc:sqlite:%s?synchronous=NORMAL           | SELECT 1                       | PRAGMA synchronous=1
                    jdbc:sqlite:%s                              | SELECT 1                       |
                    """)
    void settingsThatLoseCommitsAreReported(String url, String first, String setting, @TempDir Path folder)
            throws SQLException {
        DataSource dataSource =
                new UrlDataSource(url.formatted(folder.resolve("shop")), "SA", "", Duration.ofSeconds(5));
        try (Connection open = dataSource.getConnection()) {
            Sql.execute(open, first);
            new IdgenSchema(dataSource).create();
            List<Finding> findings = Doctor.examine(new KnownTables(dataSource), InstantSource.system());

            if (setting == null) {
                assertThat(warnings(findings)).isEmpty();
                assertThat(all(findings)).contains("commits are written to disk");
            } else {
                assertThat(warnings(findings))
                        .singleElement()
                        .asString()
                        .startsWith("durability: " + setting + ": a crash");
            }
            assertThat(wrong(findings)).as("the default of a file is not wrong").isEmpty();
        }
    }

    private static KnownTables tables(Database database) {
        return new KnownTables(database.dataSource());
    }

    private static List<Finding> examine(KnownTables tables) {
        return Doctor.examine(tables, InstantSource.system());
    }

    @Test
    void fromFourFifthsOfTheWorkerIdsOnItIsAWarning() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            String lease = "UPDATE idgen_worker SET owner_token = 'x', lease_until = 4000000000000 WHERE worker_id < ";
            Sql.execute(database.dataSource(), lease + 819);
            assertThat(warnings(examine(database))).as("control: 79.98 %").isEmpty();

            Sql.execute(database.dataSource(), lease + 820);

            assertThat(warnings(examine(database)))
                    .singleElement()
                    .asString()
                    .contains("820 of 1024 leased, 204 free; plan a layout with more worker bits");
        }
    }

    @Test
    void aLayoutNearItsEndIsAWarningAndOneThatHasEndedIsWrong() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            Duration whole = Duration.between(SnowflakeLayout.IDGEN.epoch(), SnowflakeLayout.IDGEN.end());

            for (int years : List.of(6, 4, -1)) {
                SnowflakeLayout layout =
                        SnowflakeLayout.IDGEN.withEpoch(now.minus(whole).plus(Duration.ofDays(365L * years)));
                Sql.execute(database.dataSource(), "UPDATE idgen_worker SET layout = '" + layout + "'");
                List<Finding> findings = examine(database);

                assertThat(all(findings)).contains("ends at " + layout.end());
                assertThat(warnings(findings)).hasSize(years == 4 ? 1 : 0);
                assertThat(wrong(findings)).hasSize(years < 0 ? 1 : 0);
            }
        }
    }

    private static void insert(Database database, String name, long next, long used, long sinceMinutes)
            throws SQLException {
        long windowEnd = System.currentTimeMillis()
                + Duration.ofMinutes(10 - sinceMinutes).toMillis();
        Sql.execute(
                database.dataSource(),
                "INSERT INTO idgen_counter (name, next_id, reach, win, used) VALUES ('" + name + "', " + next
                        + ", 1000000, " + windowEnd + ", " + used + ")");
    }

    @Test
    void fromFourFifthsOfARangeOnACounterIsAWarningWithTheDateAtItsPresentRate() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(database.dataSource(), "CREATE TABLE orders (id INT, line BIGINT, small SMALLINT)");
            Instant begin = Instant.now();
            // at 1,000 ids per minute, the remaining 400,000,000 ids last for 400,000 minutes
            insert(database, "orders", Integer.MAX_VALUE - 400_000_000L, 5_000, 5);
            KnownTables tables = tables(database);

            String warning =
                    warnings(examine(tables.withColumn("orders", "orders.id"))).get(0);

            assertThat(warning)
                    .startsWith("counter: orders: next id 1747483647, 81.37 % of what the column orders.id holds; at")
                    .contains("the rate since ", "; widen the column");
            Matcher end = Pattern.compile("it ends at (\\S+) \\(").matcher(warning);
            assertThat(end.find()).isTrue();
            // each second that passed meanwhile makes the rate lower
            Duration longer = Duration.between(begin, Instant.now()).multipliedBy(400_000 / 5);
            Instant expected = begin.plus(Duration.ofMinutes(400_000));
            assertThat(Instant.parse(end.group(1)))
                    .isBetween(
                            expected.minus(Duration.ofDays(3)),
                            expected.plus(longer).plus(Duration.ofDays(3)));
            assertThat(warnings(examine(tables.withColumn("orders", "orders.line"))))
                    .as("control: of a wider column it is a small share")
                    .isEmpty();
            assertThat(warnings(examine(tables)))
                    .as("nobody says which column it is")
                    .singleElement()
                    .asString()
                    .contains("81.37 % of what an int column holds", "--column orders=table.column");
            assertThat(wrong(examine(tables.withColumn("orders", "orders.small"))))
                    .singleElement()
                    .asString()
                    .contains("but the column orders.small holds 32767 at most");
        }
    }

    @Test
    void aCounterBelowTheIdsOfItsColumnIsWrong() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(database.dataSource(), "CREATE TABLE orders (id BIGINT)");
            Sql.execute(database.dataSource(), "INSERT INTO orders VALUES (999)");
            insert(database, "orders", 1000, 0, 0);
            KnownTables tables = tables(database).withColumn("orders", "orders.id");
            assertThat(wrong(examine(tables)))
                    .as("control: the next id is above them")
                    .isEmpty();

            Sql.execute(database.dataSource(), "INSERT INTO orders VALUES (1000)");

            assertThat(wrong(examine(tables)))
                    .singleElement()
                    .asString()
                    .contains("next id 1000, but orders.id holds 1000", "idgen repair --column orders=orders.id");
            assertThat(warnings(examine(tables.withColumn("order", "orders.id"))))
                    .singleElement()
                    .asString()
                    .contains("order: idgen_counter has no such row; correct the name");
        }
    }

    @Test
    void countersThatAreNearlyUsedUpOrOutOfRangeAreReported() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(
                    database.dataSource(),
                    "INSERT INTO idgen_counter (name, next_id, step, instance, instances) VALUES"
                            + " ('full', 9000000000000000000, NULL, 1, 1), ('zero', 0, NULL, 1, 1),"
                            + " ('wide', 3000000000, 1000, 1, 1), ('of another instance', 6, NULL, 2, 3)");

            List<Finding> findings = examine(database);

            assertThat(wrong(findings))
                    .containsExactlyInAnyOrder(
                            "counter: zero: next id 0, but ids start at 1: set it above the ids in use",
                            "counter: of another instance: next id 6, instance 2 of 3, but this is no id of that instance:"
                                    + " set it to the next one above the ids in use");
            assertThat(warnings(findings))
                    .singleElement()
                    .asString()
                    .contains("full: next id 9000000000000000000, 97.58 % of what a bigint column holds");
            assertThat(all(findings))
                    .contains("wide: next id 3000000000, step 1000, 0.00 % of what a bigint column holds");
        }
    }

    @Test
    void theTablesThatExistAreEnough() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            assertThat(wrong(examine(database)))
                    .singleElement()
                    .asString()
                    .contains("none of idgen's tables exists (idgen_worker, idgen_counter)", "idgen schema");
            for (String statement :
                    SchemaScript.create(Dialects.named("h2")).statementsFor("idgen_worker", "idgen_worker")) {
                Sql.execute(database.dataSource(), statement);
            }

            assertThat(wrong(examine(database))).as("as for @SnowflakeId alone").isEmpty();
            assertThat(examine(tables(database).withPrefix("PUBLIC.idgen_"))).hasSizeGreaterThan(2);
        }
    }
}
