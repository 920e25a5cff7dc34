package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.units.Item;
import io.idgen.spring.boot.units.Lookups;
import io.idgen.spring.boot.units.PurchaseOrder;
import io.idgen.spring.boot.units.TwoUnits;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.util.ReflectionTestUtils;

/** Tests an application with two databases and two persistence units, which have their own sources. */
@Tag("matrix")
@ExtendWith(OutputCaptureExtension.class)
class PersistenceUnitsTest {
    private final ArrayDeque<Database> databases = new ArrayDeque<>();

    @AfterEach
    void drop() {
        databases.forEach(Database::close);
    }

    private Database create(TestDatabase kind) {
        Database database = kind.create();
        databases.push(database);
        return database;
    }

    /** Starts the application with two new databases: first that of sales, then that of the warehouse. */
    private ConfigurableApplicationContext start(TestDatabase kind, String... settings) {
        return start(new SpringApplicationBuilder(TwoUnits.class), kind, settings);
    }

    private ConfigurableApplicationContext start(
            SpringApplicationBuilder application, TestDatabase kind, String... settings) {
        if (databases.isEmpty()) {
            create(kind);
            create(kind);
        }
        Database sales = databases.getFirst();
        Database warehouse = databases.getLast();
        return application
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "management.endpoints.web.exposure.include=idgen")
                .properties("sales.url=" + sales.url(), "warehouse.url=" + warehouse.url())
                .properties(settings)
                .run();
    }

    private JdbcTemplate sales() {
        return new JdbcTemplate(databases.getFirst().dataSource());
    }

    private JdbcTemplate warehouse() {
        return new JdbcTemplate(databases.getLast().dataSource());
    }

    private static void persist(ConfigurableApplicationContext context, String factory, Object entity) {
        try (EntityManager manager =
                context.getBean(factory, EntityManagerFactory.class).createEntityManager()) {
            manager.getTransaction().begin();
            manager.persist(entity);
            manager.getTransaction().commit();
        }
    }

    private static long order(ConfigurableApplicationContext context) {
        PurchaseOrder order = new PurchaseOrder();
        persist(context, "salesEntityManagerFactory", order);
        return Objects.requireNonNull(order.id);
    }

    private static long item(ConfigurableApplicationContext context) {
        Item item = new Item();
        persist(context, "itemsEntityManagerFactory", item);
        return Objects.requireNonNull(item.id);
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void eachUnitHasTheSettingsOfItsEntitiesAndItsOwnDatabase(TestDatabase kind) {
        try (ConfigurableApplicationContext context = start(
                kind,
                "idgen.sources.PurchaseOrder.strategy=segment",
                "idgen.sources.PurchaseOrder.start=5000",
                "idgen.units.warehouse.strategy=sequence-table",
                "idgen.units.warehouse.sources.Item.start=70")) {
            assertThat(order(context)).isEqualTo(5000);
            assertThat(item(context)).isEqualTo(70);

            assertThat(sales().queryForList("SELECT biz_tag FROM idgen_segment", String.class))
                    .containsExactly("PurchaseOrder");
            assertThat(warehouse().queryForList("SELECT table_name FROM idgen_sequence", String.class))
                    .containsExactly("Item");
            if (kind == TestDatabase.H2) { // where idgen creates all its tables
                assertThat(warehouse().queryForList("SELECT biz_tag FROM idgen_segment"))
                        .isEmpty();
            } else {
                assertThatThrownBy(() -> warehouse().queryForList("SELECT biz_tag FROM idgen_segment"))
                        .isInstanceOf(BadSqlGrammarException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void eachUnitHasTheSequencesOfItsOwnDatabase(TestDatabase kind) {
        create(kind);
        create(kind);
        sales().execute("CREATE SEQUENCE PurchaseOrder_seq START WITH 5000");
        warehouse().execute("CREATE SEQUENCE Item_seq START WITH 70");
        try (ConfigurableApplicationContext context =
                start(kind, "idgen.strategy=native-sequence", "idgen.startup=eager")) {
            assertThat(order(context)).isEqualTo(5000);
            assertThat(item(context)).isEqualTo(70);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void theSourcesOfEachUnitStartWithTheApplicationAndAreWatched(TestDatabase kind) {
        try (ConfigurableApplicationContext context =
                start(kind, kind == TestDatabase.H2 ? "idgen.startup=eager" : "idgen.worker.namespace=units")) {
            assertThat(context.getBean(IdgenEndpoint.class).sources())
                    .containsOnlyKeys("sales.PurchaseOrder", "warehouse.Item");
            Object health = ReflectionTestUtils.invokeMethod(context.getBean("idgenHealthIndicator"), "health");
            assertThat(String.valueOf(health)).contains("sales.PurchaseOrder", "warehouse.Item");
            assertThat(context.getBean(MeterRegistry.class).get("idgen.health").gauges())
                    .extracting(gauge -> gauge.getId().getTag("idgen.source"), gauge -> gauge.value())
                    .containsExactlyInAnyOrder(
                            org.assertj.core.groups.Tuple.tuple("sales.PurchaseOrder", 1.0),
                            org.assertj.core.groups.Tuple.tuple("warehouse.Item", 1.0));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aLineAtTheStartDescribesEachSource(TestDatabase kind, CapturedOutput output) {
        start(kind, "idgen.startup=eager", "idgen.units.warehouse.strategy=segment")
                .close();

        assertThat(output)
                .containsPattern("source 'sales.PurchaseOrder': snowflake, (table idgen_worker, )?worker id \\d+")
                .contains("source 'warehouse.Item': segment, table idgen_segment");
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void theLineShowsTheSchemaOfTheTable(TestDatabase kind, CapturedOutput output) {
        create(kind);
        create(kind);
        warehouse().execute("CREATE SCHEMA ids");
        start(
                        kind,
                        "idgen.startup=eager",
                        "idgen.jdbc.initialize-schema=always",
                        "idgen.units.warehouse.strategy=segment",
                        "idgen.units.warehouse.jdbc.schema=ids")
                .close();

        assertThat(output).contains("source 'warehouse.Item': segment, table ids.idgen_segment");
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aHintRecommendsBatchesUnlessTheirSizeIsSet(TestDatabase kind, CapturedOutput output) {
        start(kind, "batch-size=50").close();
        assertThat(output).doesNotContain("hibernate.jdbc.batch_size");

        start(kind).close();
        assertThat(output).contains("hibernate.jdbc.batch_size is not set");
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aBeanOfASourceBelongsToTheUnitWithTheEntity(TestDatabase kind) {
        try (ConfigurableApplicationContext context =
                start(kind, "idgen.sources.Item.strategy=segment", "idgen.sources.Item.start=9")) {
            assertThat(item(context)).isEqualTo(9);
            assertThat(context.getBean("ItemIdSource", IdSource.class).nextId()).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void theDatabaseOfAUnitIsABeanByItsName(TestDatabase kind) {
        try (ConfigurableApplicationContext context = start(
                kind,
                "idgen.startup=eager",
                "idgen.worker.assigner=jdbc",
                "idgen.jdbc.initialize-schema=always",
                "idgen.units.sales.jdbc.data-source=warehouseDataSource")) {
            assertThat(order(context)).isPositive();
            assertThat(warehouse()
                            .queryForObject(
                                    "SELECT count(*) FROM idgen_worker WHERE owner_token IS NOT NULL", Long.class))
                    .isEqualTo(2); // one of each unit
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aUnitWithIdgensTablesInAnotherDatabaseBeginsAboveItsEntities(TestDatabase kind) {
        create(kind);
        create(kind);
        sales().execute("CREATE TABLE PurchaseOrder (id bigint PRIMARY KEY)");
        sales().execute("INSERT INTO PurchaseOrder VALUES (41)");
        try (ConfigurableApplicationContext context = start(
                kind,
                "idgen.startup=eager",
                "idgen.jdbc.initialize-schema=always",
                "idgen.units.sales.strategy=segment",
                "idgen.units.sales.jdbc.data-source=warehouseDataSource")) {
            assertThat(order(context)).isEqualTo(42);
            assertThat(warehouse().queryForList("SELECT biz_tag FROM idgen_segment", String.class))
                    .containsExactly("PurchaseOrder");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void liquibaseMigratesTheDatabaseOfEachUnit(TestDatabase kind) {
        try (ConfigurableApplicationContext context = start(
                kind, "idgen.strategy=segment", "idgen.startup=eager", "idgen.jdbc.initialize-schema=liquibase")) {
            assertThat(order(context)).isEqualTo(1);
            assertThat(item(context)).isEqualTo(1);
            for (JdbcTemplate each : List.of(sales(), warehouse())) {
                assertThat(each.queryForList("SELECT DISTINCT author FROM idgen_changelog", String.class))
                        .containsExactly("idgen");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void flywayMigratesTheDatabaseOfEachUnit(TestDatabase kind) {
        try (ConfigurableApplicationContext context =
                start(kind, "idgen.strategy=segment", "idgen.startup=eager", "idgen.jdbc.initialize-schema=flyway")) {
            assertThat(order(context)).isEqualTo(1);
            assertThat(item(context)).isEqualTo(1);
            for (JdbcTemplate each : List.of(sales(), warehouse())) {
                assertThat(each.queryForList(
                                "SELECT \"script\" FROM \"idgen_schema_history\" WHERE \"type\" = 'SQL'", String.class))
                        .containsExactly("R__idgen_tables.sql");
            }
        }
    }

    /** The first three differ from an entity by one or two letters. */
    @ParameterizedTest
    @CsvSource({
        "H2, PurchaseOrdr, PurchaseOrder",
        "H2, purchaseOrder, PurchaseOrder",
        "H2, Items, Item",
        "H2, Parcels, 'Item, PurchaseOrder'",
        "POSTGRESQL, PurchaseOrdr, PurchaseOrder",
        "POSTGRESQL, Parcels, 'Item, PurchaseOrder'"
    })
    void aNameThatNothingUsesIsRefusedWithTheNearestName(TestDatabase kind, String misspelt, String nearest) {
        assertThatThrownBy(() -> start(kind, "idgen.sources." + misspelt + ".start=5000"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("IDGEN-104: settings speak of a source '" + misspelt
                        + "', and there is none; the nearest known are " + nearest);
    }

    /** The control: the name of a bean that is injected may resemble that of an entity. */
    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aNameThatABeanInjectsIsNotRefused(TestDatabase kind) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(TwoUnits.class, UsesItems.class);

        start(application, kind, "idgen.sources.Items.strategy=snowflake", "idgen.worker.id=1")
                .close();
    }

    /** Uses a source that no entity has. */
    static class UsesItems {
        UsesItems(@Qualifier("Items") IdSource items) {
            Objects.requireNonNull(items);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Lookups.OfAny.class, Lookups.OfParcels.class})
    void aNameThatCodeMayLookUpLaterIsNotRefusedUnlessItResemblesAnEntity(Class<?> bean) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(TwoUnits.class, bean);
        try (ConfigurableApplicationContext context =
                start(application, TestDatabase.H2, "idgen.sources.Parcels.strategy=snowflake", "idgen.worker.id=1")) {
            assertThat(context.getBean(IdSources.class).get("Parcels").nextId()).isPositive();
        }

        SpringApplicationBuilder second = new SpringApplicationBuilder(TwoUnits.class, bean);
        assertThatThrownBy(() -> start(second, TestDatabase.H2, "idgen.sources.Items.strategy=snowflake"))
                .hasMessageContaining("the nearest known are Item");
    }

    /** Entities and beans may follow, so that idgen cannot know which names are wrong. */
    @Test
    void ifBeansAreCreatedLazilyNoNameIsRefused() {
        try (ConfigurableApplicationContext context = start(
                TestDatabase.H2,
                "spring.main.lazy-initialization=true",
                "idgen.sources.Items.start=5000",
                "idgen.sources.Item.strategy=segment",
                "idgen.units.warehous.strategy=segment")) {
            assertThat(item(context)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRESQL"})
    void aMisspeltUnitIsRefusedWithTheUnitsThatExist(TestDatabase kind) {
        assertThatThrownBy(() -> start(kind, "idgen.units.warehous.strategy=segment"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("idgen.units.warehous.strategy is for a persistence unit that does not exist; the"
                        + " units are sales, warehouse");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Itm", "PurchaseOrder"})
    void anEntityThatItsUnitDoesNotHaveIsRefused(String name) {
        assertThatThrownBy(() -> start(TestDatabase.H2, "idgen.units.warehouse.sources." + name + ".start=5"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("settings speak of a source '" + name + "', and there is none; the nearest known"
                        + " are Item");
    }
}
