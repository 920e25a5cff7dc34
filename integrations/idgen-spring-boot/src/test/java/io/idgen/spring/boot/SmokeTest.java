package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.IdSource;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.library.Customer;
import io.idgen.spring.boot.library.Customers;
import io.idgen.spring.boot.library.Library;
import io.idgen.spring.boot.shop.Book;
import io.idgen.spring.boot.shop.Books;
import io.idgen.spring.boot.shop.Shop;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an application needs first. Runs on each version of Spring Boot; the other tests run on the newest alone. */
class SmokeTest {
    @AutoClose
    private final Database h2 = TestDatabase.H2.create();

    private static String get(ConfigurableApplicationContext shop, String path) throws Exception {
        String port = shop.getEnvironment().getRequiredProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void theVersionOfSpringBootIsTheOneOfTheRun() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("test.spring-boot"));
    }

    @Test
    void anEntityGetsAnIdAndTheActuatorShowsItsSource() throws Exception {
        try (ConfigurableApplicationContext shop = Application.startWeb(
                Shop.class,
                h2,
                "server.port=0",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always")) {
            long id = shop.getBean(Books.class).save(new Book("Emma")).id();

            assertThat(id).isGreaterThan(1L << 40);
            assertThat(get(shop, "/actuator/idgen")).contains("\"book\"");
            assertThat(get(shop, "/actuator/health/idgen")).contains("\"book\":\"UP\"");
            assertThat(get(shop, "/actuator/metrics/idgen.health")).contains("\"book\"");
            assertThat(get(shop, "/books/" + id)).isEqualTo("{\"id\":\"" + id + "\",\"title\":\"Emma\"}");
        }
    }

    @Test
    void flywayCreatesTheTablesOnPostgreSql() {
        try (Database postgreSql = TestDatabase.POSTGRESQL.create();
                ConfigurableApplicationContext shop = Application.start(
                        Shop.class,
                        postgreSql,
                        "spring.flyway.enabled=true",
                        "spring.flyway.locations=classpath:db/shop",
                        "spring.jpa.hibernate.ddl-auto=validate",
                        "idgen.jdbc.initialize-schema=flyway")) {
            assertThat(shop.getBean(Books.class).save(new Book("Emma")).id()).isPositive();
        }
    }

    @Test
    void anAggregateOfSpringDataJdbcGetsAnId() {
        new JdbcTemplate(h2.dataSource())
                .execute("CREATE TABLE \"CUSTOMER\" (\"ID\" bigint PRIMARY KEY, \"NAME\" varchar(100))");
        try (ConfigurableApplicationContext library = Application.start(Library.class, h2, "idgen.strategy=segment")) {
            assertThat(library.getBean(Customers.class)
                            .save(new Customer(null, "Edward"))
                            .id())
                    .isOne();
        }
    }

    /** Saves a book when the application ends. */
    record LastBook(Books books) implements DisposableBean {
        @Override
        public void destroy() {
            books.save(new Book("The last one"));
        }
    }

    /** Saves a customer when the application ends. */
    record LastCustomer(Customers customers) implements DisposableBean {
        @Override
        public void destroy() {
            customers.save(new Customer(null, "The last one"));
        }
    }

    @Test
    void aBeanThatSavesWhenItIsDestroyedGetsAnId() {
        JdbcTemplate database = new JdbcTemplate(h2.dataSource());
        Application.start(new SpringApplicationBuilder(Shop.class, LastBook.class), h2)
                .close();
        database.execute("CREATE TABLE \"CUSTOMER\" (\"ID\" bigint PRIMARY KEY, \"NAME\" varchar(100))");
        Application.start(new SpringApplicationBuilder(Library.class, LastCustomer.class), h2)
                .close();

        assertThat(database.queryForObject("SELECT count(*) FROM book", Integer.class))
                .isOne();
        assertThat(database.queryForObject("SELECT count(*) FROM customer", Integer.class))
                .isOne();
    }

    @Test
    void aNameWithSettingsIsABeanAndAMisspeltSettingStopsTheStart() {
        try (ConfigurableApplicationContext shop = Application.start(
                Shop.class, h2, "idgen.sources.parcels.strategy=segment", "idgen.sources.parcels.start=100")) {
            assertThat(shop.getBean("parcelsIdSource", IdSource.class).nextId()).isEqualTo(100);
        }
        assertThatThrownBy(() -> Application.start(Shop.class, h2, "idgen.stratgy=segment"))
                .rootCause()
                .hasMessageContaining("idgen.strategy");
    }
}
