package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;

/** Runs the statements of {@code docs/adopting-generators.md} on the tables of other generators. */
@Tag("databases")
@Tag("servers")
class AdoptingCountersTest {
    private static final List<String> TABLES = List.of(
            "CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT, step INT)",
            "INSERT INTO leaf_alloc VALUES ('leaf', 5001, 100)",
            "CREATE TABLE sequence (table_name VARCHAR(128) PRIMARY KEY, next_id BIGINT)",
            "INSERT INTO sequence VALUES ('sequence', 71)",
            "CREATE TABLE hibernate_sequences (sequence_name VARCHAR(128) PRIMARY KEY, next_val BIGINT)",
            "INSERT INTO hibernate_sequences VALUES ('hibernate', 151)",
            "CREATE TABLE orders (id BIGINT PRIMARY KEY)",
            "INSERT INTO orders VALUES (42)");

    @ParameterizedTest
    @EachDatabase({TestDatabase.H2, TestDatabase.POSTGRESQL, TestDatabase.MARIADB, TestDatabase.MYSQL})
    void oneStatementForEachGeneratorTakesItsCountersOver(TestDatabase kind) throws Exception {
        try (Database database = kind.create();
                Connection connection = database.dataSource().getConnection()) {
            new IdgenSchema(database.dataSource()).create();
            for (String each : TABLES) {
                Sql.execute(connection, each);
            }
            List<String> statements = Pattern.compile("```sql\n(INSERT INTO idgen_counter .*?);\n```", Pattern.DOTALL)
                    .matcher(Files.readString(Path.of("..", "docs", "adopting-generators.md")))
                    .results()
                    .map(block -> block.group(1))
                    .toList();
            assertThat(statements).hasSize(4);
            for (String each : statements) {
                Sql.execute(connection, each);
            }
            Counters counters = new Counters(database.dataSource());
            assertThat(counters.allocate("leaf", 1))
                    .as("with Leaf's step")
                    .matches(segment -> segment.first() == 5001 && segment.count() == 100);
            Counters onDemand = counters.onDemand();
            assertThat(onDemand.allocate("sequence", 1).first()).isEqualTo(71);
            assertThat(onDemand.allocate("hibernate", 1).first()).isEqualTo(151);
            assertThat(onDemand.allocate("orders", 1).first()).isEqualTo(43);
        }
    }
}
