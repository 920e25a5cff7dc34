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
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests where a boot creates and looks for idgen's tables, and what it reports if they are missing. */
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
            assertThat(log.with("is missing")).isEmpty();
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
    void soItIsWhereTheGeneratorIsNamedByItsClass() throws SQLException {
        createShop();
        execute("CREATE TABLE Generic (id BIGINT PRIMARY KEY)");
        execute("INSERT INTO Generic VALUES (5000)");
        execute("CREATE TABLE " + shop() + ".Generic (id BIGINT PRIMARY KEY)");
        execute("INSERT INTO " + shop() + ".Generic VALUES (48211)");
        boolean named = Run.isBefore("8.0");

        try (Unit unit = Unit.of(
                        named ? MappingsTest.ByGenericGenerator.class : MappingsTest.ByUnnamedGenericGenerator.class)
                .url(database.url())
                .set("idgen.acquire-timeout", "1m")
                .set("idgen.strategy", "segment")
                .set(defaultSchema(), shop())
                .boot()) {
            Object entity =
                    named ? new MappingsTest.ByGenericGenerator() : new MappingsTest.ByUnnamedGenericGenerator();
            unit.persist(entity);
            assertThat(entity).extracting("id").isEqualTo(48212L);
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
    @CsvSource({"segment, idgen_counter", "snowflake, idgen_worker"})
    void whereNobodyMadeTheTableTheBootLogsTheStatementsThatMakeIt(String strategy, String table) throws SQLException {
        execute("CREATE TABLE Plain (id BIGINT PRIMARY KEY)");
        try (Unit unit = unit(strategy, "none").boot()) {
            List<String> errors = log.with(table + " is missing in the database of the entities");
            assertThat(errors).hasSize(1);
            assertThat(errors.get(0))
                    .startsWith("IDGEN-403: ")
                    .contains("db/idgen/" + Run.KIND.name().toLowerCase(), "idgen.jdbc.initialize-schema=always");

            runAsLogged(errors.get(0));

            persist(unit);
            assertThat(unit.count("Plain")).isOne();
        }
    }

    private void runAsLogged(String message) throws SQLException {
        for (String statement : message.substring(message.indexOf("\n") + 1).split(";\n")) {
            if (!statement.isBlank()) {
                execute(statement);
            }
        }
    }

    @Test
    void whereHibernateValidatesTheSchemaAMissingTableFailsTheBoot() throws SQLException {
        execute("CREATE TABLE Plain (id BIGINT PRIMARY KEY)");
        assertThatThrownBy(() -> unit("segment", "validate").boot())
                .hasStackTraceContaining("IDGEN-403: idgen_counter is missing")
                .hasStackTraceContaining("CREATE TABLE IF NOT EXISTS idgen_counter");

        unit("segment", "update").boot().close();
        unit("segment", "validate").boot().close();
    }

    @Test
    void tablesOfMigrationsAloneAreLookedForToo() throws SQLException {
        unit("segment", "update")
                .set("idgen.jdbc.initialize-schema", "never")
                .boot()
                .close();

        assertThat(isThere(SEGMENT)).isFalse();
        assertThat(log.with("idgen_counter is missing")).hasSize(1);
    }

    @Test
    void aTableThatIdgenCreatesWithTheFirstIdIsNotMissed() {
        try (Unit unit = unit("segment", "none")
                .set("idgen.jdbc.initialize-schema", "always")
                .boot()) {
            assertThat(unit.factory().isOpen()).isTrue();
            assertThat(log.with("is missing")).isEmpty();
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
    @Tag("versions")
    void hibernateCreatesTheTablesOfADataSourceThatWasPassedIfItLeadsToTheSameDatabase() throws SQLException {
        try (Unit unit = unit("segment", "update")
                .set("idgen.jdbc.data-source", wrapped(database))
                .boot()) {
            assertThat(isThere(SEGMENT)).isTrue();
            assertThat(persist(unit)).isOne();
        }
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
    void hibernateCreatesNothingForADataSourceOfAnotherDatabase() throws SQLException {
        try (Database other = Run.createSharedDatabase();
                Unit unit = unit("segment", "update")
                        .set("idgen.jdbc.data-source", other.dataSource())
                        .boot()) {
            assertThat(isThere(SEGMENT)).isFalse();
            assertThatThrownBy(() -> persist(unit)).hasStackTraceContaining("IDGEN-403");
        }
    }

    private static DataSource wrapped(Database database) {
        return ProxyDataSourceBuilder.create(database.dataSource()).build();
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
