package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.units.Item;
import io.idgen.spring.boot.units.PurchaseOrder;
import io.idgen.spring.boot.units.TwoUnits;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Tests an application with two persistence units, each of which uses its own database by itself. */
@ExtendWith(OutputCaptureExtension.class)
class PersistenceUnitsTest {
    @AutoClose
    private final Database sales = TestDatabase.H2.create();

    @AutoClose
    private final Database warehouse = TestDatabase.H2.create();

    private ConfigurableApplicationContext start(String... settings) {
        return start(new SpringApplicationBuilder(TwoUnits.class), settings);
    }

    private ConfigurableApplicationContext start(SpringApplicationBuilder application, String... settings) {
        return application
                .web(WebApplicationType.NONE)
                .properties("logging.level.io.idgen=info", "management.endpoints.web.exposure.include=idgen")
                .properties("sales.url=" + sales.url(), "warehouse.url=" + warehouse.url())
                .properties(settings)
                .run();
    }

    private static <T> List<T> column(Database database, String sql, Class<T> type) {
        return new JdbcTemplate(database.dataSource()).queryForList(sql, type);
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

    @Test
    void eachUnitUsesItsOwnDatabaseAndItsSourcesAreWatched(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start(
                "idgen.startup=eager",
                "idgen.sources.purchase_order.strategy=segment",
                "idgen.sources.purchase_order.start=5000",
                "idgen.sources.item.strategy=sequence-table",
                "idgen.sources.item.start=70")) {
            assertThat(order(context)).isEqualTo(5000);
            assertThat(item(context)).isEqualTo(70);
            assertThat(context.getBean("itemIdSource", IdSource.class).nextId()).isEqualTo(71);

            assertThat(column(sales, "SELECT name FROM idgen_counter", String.class))
                    .containsExactly("purchase_order");
            assertThat(column(warehouse, "SELECT name FROM idgen_counter", String.class))
                    .containsExactly("item");
            assertThat(context.getBean(IdgenEndpoint.class).sources())
                    .containsOnlyKeys("sales.purchase_order", "warehouse.item");
            assertThat(context.getBean(HealthIndicator.class).health())
                    .hasToString("UP {sales.purchase_order=UP, warehouse.item=UP}");
            assertThat(context.getBean(MeterRegistry.class).get("idgen.health").gauges())
                    .extracting(gauge -> gauge.getId().getTag("idgen.source"))
                    .containsExactlyInAnyOrder("sales.purchase_order", "warehouse.item");
            assertThat(output)
                    .contains("sources 'sales.purchase_order': segment, table idgen_counter")
                    .contains("sources 'warehouse.item': sequence-table, table idgen_counter");
        }
    }

    @Test
    void idsOfAllUnitsAreAboveTheirRowsIfIdgensTablesAreInAnotherDatabase() {
        new JdbcTemplate(sales.dataSource()).execute("CREATE TABLE purchase_order (id bigint PRIMARY KEY)");
        new JdbcTemplate(sales.dataSource()).execute("INSERT INTO purchase_order VALUES (41)");
        try (ConfigurableApplicationContext context = start(
                "idgen.startup=eager",
                "idgen.strategy=segment",
                "idgen.jdbc.initialize-schema=always",
                "idgen.jdbc.data-source=warehouseDataSource")) {
            assertThat(order(context)).isEqualTo(42);
            assertThat(item(context)).isOne();
            assertThat(column(warehouse, "SELECT name FROM idgen_counter ORDER BY name", String.class))
                    .containsExactly("item", "purchase_order");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "flyway, SELECT \"script\" FROM \"idgen_schema_history\" WHERE \"type\" = 'SQL', R__idgen_tables.sql",
        "liquibase, SELECT DISTINCT author FROM idgen_changelog, idgen"
    })
    void aMigrationCreatesTheTablesOfEachUnit(String tool, String history, String entry) {
        try (ConfigurableApplicationContext context =
                start("idgen.strategy=segment", "idgen.startup=eager", "idgen.jdbc.initialize-schema=" + tool)) {
            assertThat(order(context)).isOne();
            assertThat(item(context)).isOne();
            for (Database each : List.of(sales, warehouse)) {
                assertThat(column(each, history, String.class)).containsExactly(entry);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "purchase_ordr, the nearest known are purchase_order",
        "Purchase_Order, the nearest known are purchase_order",
        "items, the nearest known are item",
        "PurchaseOrder, PurchaseOrder is an entity; write its table: idgen.sources.purchase_order.…",
        "io.idgen.spring.boot.units.PurchaseOrder, io.idgen.spring.boot.units.PurchaseOrder is an entity"
    })
    void aNameThatNothingUsesAndThatResemblesATableOrNamesAnEntityIsRefused(String misspelt, String advice) {
        assertThatThrownBy(() -> start("idgen.sources." + misspelt + ".start=5000"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(
                        "IDGEN-104: settings speak of a source '" + misspelt + "', and there is none; " + advice);
    }

    /** Uses a source that no entity has. */
    record UsesItems(@Qualifier("items") IdSource items) {}

    @Test
    void aNameThatABeanInjectsAndOneThatResemblesNoEntityAreNotRefused() {
        SpringApplicationBuilder application = new SpringApplicationBuilder(TwoUnits.class, UsesItems.class);
        try (ConfigurableApplicationContext context = start(
                application,
                "idgen.sources.items.strategy=snowflake",
                "idgen.sources.parcels.strategy=snowflake",
                "idgen.worker.id=1")) {
            assertThat(context.getBean(UsesItems.class).items().nextId()).isPositive();
            assertThat(context.getBean(IdSources.class).get("parcels").nextId()).isPositive();
        }
    }

    /** Entities and beans may follow, so that idgen cannot know which names are wrong. */
    @Test
    void ifBeansAreCreatedLazilyNoNameIsRefused() {
        try (ConfigurableApplicationContext context = start(
                "spring.main.lazy-initialization=true",
                "idgen.sources.items.start=5000",
                "idgen.sources.item.strategy=segment")) {
            assertThat(item(context)).isEqualTo(1);
        }
    }
}
