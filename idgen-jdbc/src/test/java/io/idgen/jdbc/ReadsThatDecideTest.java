package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The largest value of a column, above which new ids start, where a plain query returns another one. */
@Tag("databases")
@Tag("servers")
class ReadsThatDecideTest {

    private static void startAbove(DataSource database) {
        try (IdSources sources = IdSources.builder()
                .resource(DataSource.class, database)
                .set("idgen.snowflake.start-above", "orders.id")
                .source("orders")
                .build()) {
            sources.get("orders").nextId();
        }
    }

    @ParameterizedTest
    @EachDatabase
    void textsAreRefused(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            DataSource all = database.dataSource();
            new IdgenSchema(all).create();
            Sql.execute(all, "CREATE TABLE orders (id VARCHAR(30))");
            Counters counters = new Counters(all).adopting("orders.id");
            assertThat(counters.allocate("empty", 1).first()).isOne();
            Sql.execute(all, "INSERT INTO orders VALUES ('9'), ('10')");
            assertThatThrownBy(() -> counters.allocate("refused", 1))
                    .isInstanceOf(AllocationException.class)
                    .hasMessageContaining("it contains no numbers; set a number");
            assertThatThrownBy(() -> startAbove(all)).hasMessageContaining("it contains no numbers");
        }
    }

    @Test
    void aNumberAboveABigintIsRefused() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(database.dataSource(), "CREATE TABLE orders (id NUMERIC(19))");
            Sql.execute(database.dataSource(), "INSERT INTO orders VALUES (9223372036854775808)");
            Counters counters = new Counters(database.dataSource()).adopting("orders.id");
            assertThatThrownBy(() -> counters.allocate("orders", 1)).hasMessageContaining("above what a bigint holds");
        }
    }

    /** The policy of a table also hides rows of a view on it. */
    @ParameterizedTest
    @ValueSource(strings = {"orders.id", "mine.id"})
    void rowsThatAPolicyHidesAreNotTakenForNone(String column) throws SQLException {
        try (Database database = TestDatabase.POSTGRESQL.create()) {
            DataSource owner = database.dataSource();
            new IdgenSchema(owner).create();
            String user = "clerk_" + System.nanoTime();
            for (String each : new String[] {
                "CREATE TABLE orders (id bigint)",
                "INSERT INTO orders SELECT generate_series(1, 5000)",
                "ALTER TABLE orders ENABLE ROW LEVEL SECURITY",
                "CREATE POLICY few ON orders USING (id < 4)",
                "CREATE VIEW mine WITH (security_invoker) AS SELECT * FROM orders",
                "CREATE ROLE " + user + " LOGIN PASSWORD 'clerk'",
                "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO " + user
            }) {
                Sql.execute(owner, each);
            }
            DataSource clerk = new UrlDataSource(database.plainUrl(), user, "clerk", Duration.ofSeconds(5));

            Counters counters = new Counters(clerk).adopting(column);
            assertThatThrownBy(() -> counters.allocate("orders", 1))
                    .hasMessageContaining("row-level security")
                    .hasMessageContaining("BYPASSRLS");
            assertThatThrownBy(() -> startAbove(clerk)).hasMessageContaining("row-level security");
            assertThat(Sql.number(clerk, "SELECT max(id) FROM orders"))
                    .as("control")
                    .isEqualTo(3);

            Sql.execute(owner, "ALTER TABLE orders DISABLE ROW LEVEL SECURITY");
            assertThat(counters.allocate("orders", 1).first()).isEqualTo(5001);
            Sql.execute(owner, "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM " + user);
            Sql.execute(owner, "DROP ROLE " + user);
        }
    }

    @Test
    void aColumnOfAnotherTypeIsRefused() throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            new IdgenSchema(database.dataSource()).create();
            Sql.execute(database.dataSource(), "CREATE TABLE orders (id UUID)");
            Sql.execute(database.dataSource(), "INSERT INTO orders VALUES (RANDOM_UUID())");
            Counters counters = new Counters(database.dataSource()).adopting("orders.id");
            assertThatThrownBy(() -> counters.allocate("orders", 1)).hasMessageContaining("it contains no numbers");
        }
    }
}
