package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenDoctor;
import io.idgen.jdbc.schema.IdgenDoctor.Finding;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class IdgenDoctorTest {

    private static List<Finding> examine(Database database) {
        return new IdgenDoctor(database.dataSource(), InstantSource.system()).examine();
    }

    private static List<String> wrong(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> !finding.good())
                .map(finding -> finding.subject() + ": " + finding.text())
                .toList();
    }

    private static String all(List<Finding> findings) {
        return String.join("\n", findings.stream().map(Finding::text).toList());
    }

    @Tag("databases")
    @ParameterizedTest
    @EnumSource
    void findsEveryDatabaseHealthyWhileItsWorkersRun(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(
                    database.dataSource(), "INSERT INTO idgen_segment (biz_tag, max_id, step) VALUES ('orders', 7, 1)");
            try (Snowflake snowflake = Snowflake.builder()
                    .leasedFrom(new JdbcWorkerIds(database.dataSource()))
                    .build()) {
                snowflake.nextId();

                List<Finding> findings = examine(database);

                assertThat(wrong(findings)) // the servers of the tests are made to be fast
                        .allMatch(text -> text.matches(
                                "durability: (fsync=off|innodb_flush_log_at_trx_commit=0): a crash loses .*"));
                assertThat(all(findings))
                        .contains("1 of 1024 leased", "this host's clock is")
                        .containsPattern("ticks are granted up to \\d+ s ahead")
                        .contains("orders: next id 7, 0.00 % of what an int column holds")
                        .contains("2 at a time");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    jdbc:h2:file:%s                             | SELECT 1                       | WRITE_DELAY=500
                    jdbc:h2:file:%s                             | SET WRITE_DELAY 0              |
                    jdbc:hsqldb:file:%s                         | SET FILES WRITE DELAY 2 MILLIS | hsqldb.write_delay_millis=2
                    jdbc:hsqldb:file:%s;hsqldb.write_delay=false | CALL 1                        |
                    jdbc:sqlite:%s?synchronous=NORMAL           | SELECT 1                       | PRAGMA synchronous=1
                    jdbc:sqlite:%s                              | SELECT 1                       |
                    """)
    void settingsThatLoseCommitsAreTold(String url, String first, String setting, @TempDir Path folder)
            throws SQLException {
        DataSource dataSource =
                new UrlDataSource(url.formatted(folder.resolve("shop")), "SA", "", Duration.ofSeconds(5));
        try (Connection open = dataSource.getConnection()) {
            Sql.execute(open, first);
            new IdgenSchema(dataSource).create();
            List<Finding> findings = new IdgenDoctor(dataSource, InstantSource.system()).examine();

            if (setting == null) {
                assertThat(wrong(findings)).isEmpty();
                assertThat(all(findings)).contains("commits are written to disk");
            } else {
                assertThat(wrong(findings))
                        .singleElement()
                        .asString()
                        .startsWith("durability: " + setting + ": a crash");
            }
        }
    }

    @Test
    void aClockThatIsOffIsTold() {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            InstantSource slow = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(-20));

            assertThat(wrong(new IdgenDoctor(database.dataSource(), slow).examine()))
                    .singleElement()
                    .asString()
                    .containsPattern("clock: this host's clock is (19[5-9]\\d\\d|20[0-4]\\d\\d) ms behind the database")
                    .contains("correct one of the clocks");
        }
    }

    @Test
    void namespacesWithoutRoomAndHorizonsTooFarAheadAreTold() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(
                    database.dataSource(),
                    "UPDATE idgen_worker SET owner_token = 'x', lease_until = 4000000000000, horizon = 4000000000000");

            assertThat(wrong(examine(database)))
                    .satisfiesExactly(
                            leases -> assertThat(leases).contains("1024 of 1024 leased", "the next process gets none"),
                            horizon -> assertThat(horizon).contains("a correct clock grants at most 190 s", "repair"));
        }
    }

    @Test
    void reservedWorkerIdsAreListedWithTheirHoldersAndAreNoLeases() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            String reserve = "UPDATE idgen_worker SET owner_info = '17@host', owner_token = 'reserved";
            long now = System.currentTimeMillis();
            Sql.execute(database.dataSource(), reserve + "', lease_until = 100000000000000 WHERE worker_id = 3");
            Sql.execute(
                    database.dataSource(),
                    reserve + ":a', lease_until = " + (100_000_000_000_000L + now + 30_000) + " WHERE worker_id = 4");
            Sql.execute(
                    database.dataSource(),
                    reserve + ":b', lease_until = " + (100_000_000_000_000L + now - 60_000) + " WHERE worker_id = 5");

            List<Finding> findings = examine(database);

            assertThat(wrong(findings)).isEmpty();
            assertThat(all(findings))
                    .contains("0 of 1021 leased")
                    .contains("default: worker id 3, held by no process")
                    .contains("default: worker id 4, held by 17@host")
                    .contains("default: worker id 5, last held by 17@host, which has not renewed it since 20");
        }
    }

    @Test
    void countersThatAreNearlyUsedUpOrOutOfRangeAreTold() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(
                    database.dataSource(),
                    "INSERT INTO idgen_sequence (table_name, next_id) VALUES ('full', 9000000000000000000), ('zero', 0), ('wide', 3000000000)");

            List<Finding> findings = examine(database);

            assertThat(wrong(findings))
                    .satisfiesExactly(
                            full -> assertThat(full)
                                    .contains("full: next id 9000000000000000000, close to the maximum"),
                            zero -> assertThat(zero).contains("zero: next id 0, but ids start at 1"));
            assertThat(all(findings)).contains("wide: next id 3000000000, 0.00 % of what JavaScript's numbers hold");
        }
    }

    @Test
    void missingTablesAreToldAndNoneAtAllIsAnError() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            AllocationException none = assertThrows(AllocationException.class, () -> examine(database));
            assertThat(none.code()).isEqualTo(ErrorCode.TABLE_MISSING);
            assertThat(none).hasMessageContaining("none of idgen's tables");

            new IdgenSchema(database.dataSource()).create();
            Sql.execute(database.dataSource(), "DROP TABLE idgen_worker");
            assertThat(wrong(examine(database))).singleElement().asString().contains("idgen_worker missing");

            assertThat(new IdgenDoctor(database.dataSource(), InstantSource.system())
                            .withPrefix("PUBLIC.idgen_")
                            .examine())
                    .hasSizeGreaterThan(2);
        }
    }
}
