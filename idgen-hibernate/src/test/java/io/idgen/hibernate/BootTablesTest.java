package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests where a boot creates idgen's tables. */
class BootTablesTest {
    private static final String SEGMENT = "idgen_counter";

    private final Database database = Run.createSharedDatabase();
    private final LogRecords log = new LogRecords();

    @AfterEach
    void drop() throws SQLException {
        log.close();
        if (Run.hasCatalogs()) {
            execute("DROP DATABASE IF EXISTS " + shop());
        }
        database.close();
    }

    private Unit.Builder unit(String strategy, String action) {
        return Unit.of(Plain.class)
                .url(database.url())
                .set("hibernate.hbm2ddl.auto", action)
                .set("idgen.acquire-timeout", "1m")
                .set("idgen.strategy", strategy);
    }

    /** Returns the name of a second schema. */
    private static String shop() {
        return Run.hasCatalogs() ? "shop_" + ProcessHandle.current().pid() : "shop";
    }

    private static String defaultSchema() {
        return Run.hasCatalogs() ? "hibernate.default_catalog" : "hibernate.default_schema";
    }

    private void createShop() throws SQLException {
        execute((Run.hasCatalogs() ? "CREATE DATABASE " : "CREATE SCHEMA ") + shop());
    }

    private static long persist(Unit unit) {
        Plain entity = new Plain();
        unit.persist(entity);
        return entity.id;
    }

    @ParameterizedTest
    @CsvSource({"segment, idgen_counter", "snowflake, idgen_worker"})
    void tablesAreCreatedAndReadInTheDefaultSchemaOfTheEntities(String strategy, String table) throws SQLException {
        createShop();
        try (Unit unit = unit(strategy, "update").set(defaultSchema(), shop()).boot()) {
            persist(unit);

            assertThat(isThere(shop() + "." + table)).isTrue();
            assertThat(isThere(table)).isFalse();
        }
    }

    @Test
    void tablesOfAnotherApplicationOnTheSearchPathAreNotUsed() throws SQLException {
        createShop();
        try (Unit other = unit("segment", "update").boot()) {
            persist(other);
        }
        execute("UPDATE idgen_counter SET next_id = 5000");

        try (Unit unit = unit("segment", "update").set(defaultSchema(), shop()).boot()) {
            assertThat(persist(unit)).isOne();
        }
    }

    @Test
    void rowsOfTheDefaultSchemaAreTheOnesThatIdsBeginAbove() throws SQLException {
        createShop();
        execute("CREATE TABLE Plain (id BIGINT PRIMARY KEY)");
        execute("INSERT INTO Plain VALUES (5000)");
        execute("CREATE TABLE " + shop() + ".Plain (id BIGINT PRIMARY KEY)");
        execute("INSERT INTO " + shop() + ".Plain VALUES (48211)");

        try (Unit unit = unit("segment", "update").set(defaultSchema(), shop()).boot()) {
            assertThat(persist(unit)).isEqualTo(48212);
        }
    }

    @Test
    void aSchemaThatIsSetForIdgenWins() throws SQLException {
        createShop();
        String here = Run.KIND == TestDatabase.H2 ? "PUBLIC" : Run.hasCatalogs() ? text("SELECT DATABASE()") : "public";
        try (Unit unit = unit("segment", "update")
                .set(defaultSchema(), shop())
                .set("idgen.jdbc.schema", here)
                .boot()) {
            persist(unit);

            assertThat(isThere(SEGMENT)).isTrue();
            assertThat(isThere(shop() + "." + SEGMENT)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "snowflake"})
    void anUpdateOfASchemaThatIsThereWarnsOfNothing(String strategy) {
        unit(strategy, "update").boot().close();
        assertThat(log.with("idgen")).isEmpty();

        unit(strategy, "update").boot().close();
        assertThat(log.with("idgen")).isEmpty();
    }

    @Test
    void theDataSourceOfTheEntitiesItselfHasTheirDefaultSchema() throws SQLException {
        createShop();
        DataSource dataSource = database.dataSource();
        try (Unit unit = Unit.of(Plain.class)
                .dataSource(dataSource)
                .set("idgen.jdbc.data-source", dataSource)
                .set("idgen.strategy", "segment")
                .set("idgen.acquire-timeout", "1m")
                .set(defaultSchema(), shop())
                .boot()) {
            assertThat(isThere(shop() + "." + SEGMENT)).isTrue();
            assertThat(persist(unit)).isOne();
        }
    }

    @Test
    void hibernateCreatesNothingForADataSourceThatOnlyIdgenUses() throws SQLException {
        try (Database other = Run.createSharedDatabase();
                Unit unit = unit("segment", "update")
                        .set("idgen.jdbc.data-source", other.dataSource())
                        .boot()) {
            assertThat(isThere(SEGMENT)).isFalse();
            assertThatThrownBy(() -> persist(unit)).hasStackTraceContaining("IDGEN-403");
        }
    }

    private boolean isThere(String table) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            return statement.execute("SELECT 1 FROM " + table + " WHERE 1 = 0");
        } catch (SQLException e) {
            assertThat(List.of("42P01", "42S02", "42S04")).contains(e.getSQLState());
            return false;
        }
    }

    private String text(String sql) throws SQLException {
        return Sql.rows(database.dataSource(), sql).get(0);
    }

    private void execute(String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }
}
