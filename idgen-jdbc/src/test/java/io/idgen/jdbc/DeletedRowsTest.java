package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.testing.LogLines;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clean all tables, those of idgen too, while an application runs. */
class DeletedRowsTest {
    private static final String TRUNCATE = "DELETE FROM idgen_counter";

    private final Set<Long> ids = new HashSet<>();

    private static IdSources sources(DataSource database, String strategy, String... settings) {
        IdSources.Builder builder = IdSources.builder()
                .source("orders")
                .resource(DataSource.class, database)
                .set("idgen.strategy", strategy)
                .set("idgen.segment.step", "5")
                .set("idgen.segment.reserve", "0s")
                .set("idgen.stepped.instance", "2")
                .set("idgen.stepped.instances", "3")
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.sources.orders.start", "1");
        for (String each : settings) {
            builder.set(each.split("=")[0], each.split("=")[1]);
        }
        return builder.build();
    }

    /** Takes more ids than a process reserves, and checks that each is new and above the earlier ones. */
    private void take(IdSource source) {
        for (int i = 0; i < 200; i++) {
            for (long id : source.nextIds(100)) {
                assertThat(ids.add(id)).as("id %d is new", id).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "sequence-table", "stepped"})
    void onADatabaseOfThisProcessIdsGoOnAfterATruncateAndADrop(String strategy) throws Exception {
        try (Database database = TestDatabase.H2.create();
                IdSources sources = sources(database.dataSource(), strategy);
                LogLines log = new LogLines("io.idgen")) {
            IdSource orders = sources.get("orders");
            take(orders);
            Sql.execute(database.dataSource(), TRUNCATE);
            take(orders);
            Sql.execute(database.dataSource(), "DROP TABLE idgen_counter");
            take(orders);
            assertThat(log.lines()).noneMatch(line -> line.startsWith("WARNING") || line.startsWith("SEVERE"));
        }
    }

    /** A source that runs keeps its window; one that starts creates the rows, and the table, again. */
    @Test
    void onADatabaseOfThisProcessSnowflakesGoOnAfterATruncateAndADrop() throws Exception {
        try (Database database = TestDatabase.H2.create();
                LogLines log = new LogLines("io.idgen")) {
            try (IdSources first = sources(database.dataSource(), "snowflake")) {
                take(first.get("orders"));
                for (String each : List.of("TRUNCATE TABLE idgen_worker", "DROP TABLE idgen_worker")) {
                    Sql.execute(database.dataSource(), each);
                    take(first.get("orders"));
                    try (IdSources next = sources(database.dataSource(), "snowflake")) {
                        next.get("orders").nextId();
                    }
                    take(first.get("orders"));
                }
            }
            assertThat(log.lines())
                    .filteredOn(line -> !line.contains("start: source 'orders' has strategy snowflake"))
                    .noneMatch(line -> line.startsWith("WARNING") || line.startsWith("SEVERE"));
        }
    }

    /** Migrations of tests drop all tables and create them again, some with the first rows. */
    @Test
    void onADatabaseOfThisProcessARowThatStartsAgainIsRaised() throws Exception {
        try (Database database = TestDatabase.H2.create();
                IdSources sources = sources(database.dataSource(), "sequence-table")) {
            IdSource orders = sources.get("orders");
            take(orders);
            Sql.execute(database.dataSource(), TRUNCATE);
            Sql.execute(database.dataSource(), "INSERT INTO idgen_counter (name, next_id) VALUES ('orders', 1)");
            take(orders);
        }
    }

    @Test
    @Tag("databases")
    void onAServerASettingForTestsDoesTheSameAndWarnsAtTheStart() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create();
                LogLines log = new LogLines("io.idgen");
                IdSources sources =
                        sources(database.dataSource(), "sequence-table", "idgen.jdbc.deleted-rows=create")) {
            IdSource orders = sources.get("orders");
            take(orders);
            Sql.execute(database.dataSource(), TRUNCATE);
            take(orders);
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("WARNING"))
                    .isEqualTo(List.of("WARNING idgen.jdbc.deleted-rows=create is for tests: if a counter is lost in"
                            + " production, ids repeat"));
        }
    }

    @Test
    @Tag("databases")
    void onAServerALostRowIsRefused() throws Exception {
        try (Database database = TestDatabase.POSTGRESQL.create();
                IdSources sources = sources(database.dataSource(), "sequence-table")) {
            IdSource orders = sources.get("orders");
            take(orders);
            Sql.execute(database.dataSource(), TRUNCATE);
            assertThatThrownBy(() -> take(orders)).hasMessageContaining("IDGEN-304");
        }
    }
}
