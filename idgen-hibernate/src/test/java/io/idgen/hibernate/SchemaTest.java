package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import io.idgen.core.config.SourceTable;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Persistence;
import java.io.IOException;
import java.io.Serializable;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests idgen's tables in a schema that Hibernate creates. Hibernate creates them with the schema, and never removes
 * them.
 */
class SchemaTest {
    @AutoClose
    private final Database database = Run.createDatabase();

    /** Returns a unit whose schema Hibernate creates by this action. idgen itself creates no table. */
    private Unit.Builder schema(String action, String strategy, Class<?>... entities) {
        return Unit.of(entities)
                .url(database.url())
                .set("hibernate.hbm2ddl.auto", action)
                .set("idgen.strategy", strategy)
                .set("idgen.acquire-timeout", "1m")
                .set("idgen.stepped.instance", "1")
                .set("idgen.stepped.instances", "3");
    }

    private Unit.Builder segments(String action) {
        return schema(action, "segment", Plain.class).set("idgen.segment.step", "10");
    }

    /** Leases worker ids, even if the database runs in this process. */
    private Unit.Builder leased(String action) {
        return schema(action, "snowflake", Plain.class).set("idgen.worker.assigner", "jdbc");
    }

    @ParameterizedTest
    @CsvSource({
        "segment, idgen_counter",
        "sequence-table, idgen_counter",
        "stepped, idgen_counter",
        "snowflake, idgen_worker"
    })
    void theTableThatTheSourcesNeedComesWithTheSchemaAndNoOther(String strategy, String table) throws SQLException {
        try (Unit unit = schema("update", strategy, Plain.class)
                .set("idgen.worker.assigner", "jdbc")
                .boot()) {
            assertThat(idgensTables()).containsExactly(table);

            unit.persist(new Plain());

            assertThat(unit.count("Plain")).isOne();
        }
    }

    @Entity
    static class EmbeddedKey {
        @EmbeddedId
        Key key = new Key();
    }

    @Embeddable
    static class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        @SnowflakeId
        Long id;

        String region = "eu";
    }

    @Entity
    static class OnlyNumbered {
        @Id
        Long id;

        @SnowflakeId
        Long number;
    }

    @ParameterizedTest
    @ValueSource(classes = {EmbeddedKey.class, OnlyNumbered.class})
    void soItDoesForPartsOfIdsAndForAttributesThatAreNoIds(Class<?> entity) throws SQLException {
        schema("update", "segment", entity).boot().close();

        assertThat(idgensTables()).containsExactly("idgen_counter");
    }

    /** A strategy of the application, with its own table. */
    private static final class Counters implements IdStrategy {
        @Override
        public String name() {
            return "counters";
        }

        @Override
        public SourcePlan plan(SourceContext context) {
            SourceTable table = new SourceTable(
                    "idgen_counter",
                    database -> List.of("CREATE TABLE idgen_counter (next_id BIGINT)"),
                    SourceTable.CreatedBy.FRAMEWORK);
            return new SourcePlan(Long.MAX_VALUE, List.of(table), () -> {}, () -> CountingStrategy.from(1));
        }
    }

    @Test
    void soDoesTheTableOfAStrategyOfTheApplicationsOwn() throws SQLException {
        schema("update", "segment", Plain.class, OnlyNumbered.class)
                .set("idgen.strategy", new Counters())
                .boot()
                .close();

        assertThat(idgensTables()).containsExactly("idgen_counter");
    }

    @Test
    void anotherSchemaPrefixOrDatabaseIsNotHibernates() throws SQLException {
        segments("update").set("idgen.jdbc.table-prefix", "my_ids_").boot().close();
        assertThat(rows("SELECT COUNT(*) FROM my_ids_counter")).containsExactly(0L);

        segments("update").set("idgen.jdbc.initialize-schema", "never").boot().close();
        segments("update").set("idgen.jdbc.url", database.url()).boot().close();
        assertThat(idgensTables()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "validate"})
    void whereHibernateMakesNothingIdgenDoesNotEither(String action) throws SQLException {
        schema("create", "snowflake", Plain.class)
                .set("idgen.worker.assigner", "single-process")
                .boot()
                .close();

        segments(action)
                .set("idgen.jdbc.initialize-schema", "always") // the first id creates the table, so the boot succeeds
                .boot()
                .close();

        assertThat(idgensTables()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"validate", "update", "create"})
    void tablesOfIdgensOwnMigrationsAreTakenAsTheyAre(String action) throws SQLException {
        new IdgenSchema(database.dataSource()).create();
        schema("create", "snowflake", Plain.class)
                .set("idgen.worker.id", "1")
                .boot()
                .close();
        execute("INSERT INTO idgen_counter (name, next_id, step) VALUES ('plain', 5000, 10)");

        try (Unit unit = segments(action).boot()) {
            Plain entity = new Plain();
            unit.persist(entity);
            assertThat(entity.id).isEqualTo(5000);
        }
        try (Unit unit = leased(action).boot()) {
            unit.persist(new Plain());
        }
        assertThat(rows("SELECT COUNT(*) FROM idgen_worker WHERE worker_id >= 0"))
                .containsExactly(1024L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"update", "create", "create-drop"})
    void aSecondBootGoesOnAboveTheIdsOfTheFirst(String action) throws SQLException {
        List<Long> ids = new ArrayList<>();
        for (int boot = 0; boot < 2; boot++) {
            try (Unit unit = segments(action).boot()) {
                Plain entity = new Plain();
                unit.persist(entity);
                ids.add(entity.id);
            }
        }

        assertThat(ids.get(1)).isGreaterThan(ids.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"update", "create", "create-drop"})
    void horizonsOfALivingProcessOutliveTheBootOfAnother(String action) throws SQLException {
        try (Unit living = leased(action).boot()) {
            living.persist(new Plain());
            List<Long> held = rows("SELECT worker_id FROM idgen_worker WHERE owner_token IS NOT NULL");
            assertThat(held).hasSize(1);
            String horizonOfLiving =
                    "SELECT horizon FROM idgen_worker WHERE owner_token IS NOT NULL AND worker_id = " + held.get(0);
            long before = rows(horizonOfLiving).get(0);

            try (Unit other = leased(action).boot()) {
                other.persist(new Plain());
                assertThat(rows("SELECT COUNT(*) FROM idgen_worker WHERE owner_token IS NOT NULL"))
                        .containsExactly(2L);
            }

            assertThat(rows(horizonOfLiving)).hasSize(1).allMatch(horizon -> horizon >= before);
        }
    }

    @Test
    void whatASchemaManagerDropsAndEmptiesIsTheEntities() throws SQLException {
        try (Unit unit = leased("update").boot()) {
            unit.persist(new Plain());

            unit.factory().getSchemaManager().truncateMappedObjects();
            unit.factory().getSchemaManager().dropMappedObjects(false);
            unit.factory().getSchemaManager().exportMappedObjects(false);

            assertThat(unit.count("Plain")).isZero();
            assertThat(rows("SELECT COUNT(*) FROM idgen_worker WHERE owner_token IS NOT NULL"))
                    .containsExactly(1L);
        }
    }

    @Test
    void whereRowsOutliveTheirSegmentTheNewOneBeginsAboveThem() throws SQLException {
        try (Unit unit = segments("create").boot()) {
            unit.persist(new Plain());
        }
        execute("INSERT INTO Plain (id) VALUES (48211)");
        execute("DROP TABLE idgen_counter");

        try (Unit unit = segments("update").boot()) {
            Plain entity = new Plain();
            unit.persist(entity);
            assertThat(entity.id).isEqualTo(48212);
        }
    }

    @Test
    void scriptsHaveThemOnOneLineEachSoThatHibernateReadsThemBack(@TempDir Path folder) throws Exception {
        Path script = folder.resolve("create.sql");
        schema("none", "snowflake", Plain.class)
                .set("idgen.worker.assigner", "jdbc")
                .set("idgen.sources.plain.strategy", "segment")
                .set("jakarta.persistence.schema-generation.scripts.action", "create")
                .set("jakarta.persistence.schema-generation.scripts.create-target", script.toString())
                .boot()
                .close();
        assertThat(idgensTables()).isEmpty();
        assertThat(lines(script))
                .filteredOn(line -> line.contains("idgen_counter"))
                .hasSize(1);

        Unit.of(Parent.class, Child.class)
                .url(database.url())
                .set("idgen.worker.assigner", "single-process")
                .set("hibernate.hbm2ddl.auto", "create")
                .set("jakarta.persistence.schema-generation.create-source", "script")
                .set("jakarta.persistence.schema-generation.create-script-source", script.toString())
                .boot()
                .close();
        assertThat(idgensTables()).containsExactly("idgen_counter");
    }

    @Test
    void scriptsThatNeedNoSessionFactoryHaveThemToo() {
        StringWriter script = new StringWriter();
        Persistence.generateSchema(
                "with-segments",
                Map.of(
                        "jakarta.persistence.jdbc.url", database.url(),
                        "hibernate.hbm2ddl.auto", "none",
                        "idgen.worker.assigner", "single-process",
                        "jakarta.persistence.schema-generation.scripts.action", "create",
                        "jakarta.persistence.schema-generation.scripts.create-target", script));

        assertThat(script.toString()).contains("CREATE TABLE IF NOT EXISTS idgen_counter (");
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file);
    }

    private List<String> idgensTables() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                ResultSet found = connection.getMetaData().getTables(connection.getCatalog(), null, null, null)) {
            List<String> tables = new ArrayList<>();
            while (found.next()) {
                tables.add(found.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
            }
            tables.removeIf(table -> !table.matches("idgen_[a-z]+"));
            return tables;
        }
    }

    private List<Long> rows(String sql) throws SQLException {
        return Sql.rows(database.dataSource(), sql).stream().map(Long::valueOf).toList();
    }

    private void execute(String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }
}
