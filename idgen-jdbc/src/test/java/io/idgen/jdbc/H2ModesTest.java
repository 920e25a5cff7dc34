package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Sql;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All scripts and statements run in each mode of H2 and with each of its settings for the case of names. */
class H2ModesTest {
    private static final List<String> MODES = List.of(
            "REGULAR",
            "STRICT",
            "LEGACY",
            "DB2",
            "Derby",
            "MariaDB",
            "MySQL",
            "HSQLDB",
            "MSSQLServer",
            "Oracle",
            "PostgreSQL");
    private static final List<String> CASES = List.of(
            "",
            ";DATABASE_TO_LOWER=TRUE",
            ";DATABASE_TO_UPPER=FALSE",
            ";CASE_INSENSITIVE_IDENTIFIERS=TRUE",
            ";DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
            ";DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=TRUE");

    static Stream<String> settings() {
        return MODES.stream().flatMap(mode -> CASES.stream().map(each -> ";MODE=" + mode + each));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void eachStrategyHasIds(String settings) throws Exception {
        String url = "jdbc:h2:mem:modes" + settings.hashCode() + settings;
        DataSource database = new UrlDataSource(url, "sa", "", Duration.ofSeconds(5));
        try (Connection open = database.getConnection()) { // keeps the database
            Sql.execute(open, "CREATE TABLE orders (id BIGINT PRIMARY KEY, code NUMERIC(19))");
            Sql.execute(open, "INSERT INTO orders VALUES (41, 51)");
            Sql.execute(open, "CREATE SEQUENCE numbers START WITH 1 INCREMENT BY 50");
            try (IdSources sources = IdSources.builder()
                    .resource(DataSource.class, database)
                    .set("idgen.jdbc.initialize-schema", "always")
                    .set("idgen.sources.segments.strategy", "segment")
                    .set("idgen.sources.segments.adopt", "orders.id")
                    .set("idgen.sources.table.strategy", "sequence-table")
                    .set("idgen.sources.table.adopt", "orders.code")
                    .set("idgen.sources.stepped.strategy", "stepped")
                    .set("idgen.sources.stepped.start", "1")
                    .set("idgen.stepped.instance", "2")
                    .set("idgen.stepped.instances", "3")
                    .set("idgen.sources.native.strategy", "native-sequence")
                    .set("idgen.sources.native.sequence", "numbers")
                    .set("idgen.sources.native.increment", "50")
                    .set("idgen.sources.native.value-is", "first")
                    .set("idgen.snowflake.start-above", "orders.id")
                    .source("leased")
                    .build()) {
                assertThat(sources.get("segments").nextId()).isEqualTo(42);
                assertThat(sources.get("table").nextId()).isEqualTo(52);
                assertThat(sources.get("stepped").nextId()).isEqualTo(2);
                assertThat(sources.get("native").nextId()).isOne();
                assertThat(sources.get("leased").nextId()).isPositive();
            }
            IdgenSchema schema = new IdgenSchema(database);
            schema.create();
            schema.drop();
            assertThat(Sql.rows(open, "SELECT 1 FROM INFORMATION_SCHEMA.TABLES WHERE LOWER(TABLE_NAME) LIKE 'idgen%'"))
                    .isEmpty();
        }
    }
}
