package io.idgen.framework.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A Spring Boot application on PostgreSQL. These tests run on each supported version of Spring Boot. */
class SpringBootTest {
    private static final int MOST_STARTS = 10;

    private final Database database = TestDatabase.POSTGRESQL.create();

    @AfterEach
    void drop() {
        database.close();
    }

    private ConfigurableApplicationContext start(String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.main.banner-mode=off",
                "spring.datasource.url=" + database.plainUrl(),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password(),
                "spring.flyway.enabled=false",
                "spring.jpa.hibernate.ddl-auto=update",
                "spring.jpa.properties.hibernate.jdbc.batch_size=50",
                "spring.jpa.properties.hibernate.generate_statistics=true",
                "spring.jpa.properties.idgen.acquire-timeout=1m")); // longer, for a busy machine
        all.addAll(List.of(properties));
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(all.stream().map(property -> "--" + property).toArray(String[]::new));
    }

    private static Book save(ConfigurableApplicationContext application) {
        return application.getBean(BookRepository.class).save(new Book("Middlemarch", 5));
    }

    private long leases() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet leased = statement.executeQuery("SELECT count(*) FROM idgen_worker WHERE lease_until > 0")) {
            leased.next();
            return leased.getLong(1);
        }
    }

    @Test
    void withTheAnnotationAloneABookAndItsPagesGoInTwoBatchesAndTheWorkerIdIsLeased() throws SQLException {
        int starts = 0;
        do { // closing waits for the release for a second at most, and a busy machine may take longer
            try (ConfigurableApplicationContext application = start()) {
                Statistics statistics = application
                        .getBean(EntityManagerFactory.class)
                        .unwrap(SessionFactory.class)
                        .getStatistics();
                save(application); // leases the worker id
                statistics.clear();

                Book book = save(application);

                assertThat(book.id()).isGreaterThan(1L << 40);
                assertThat(statistics.getPrepareStatementCount()).isEqualTo(2);
                assertThat(leases()).isEqualTo(++starts);
            }
        } while (leases() == starts && starts < MOST_STARTS);
        assertThat(leases()).as("leases after a release").isEqualTo(starts - 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.apache.tomcat.jdbc.pool.DataSource", "org.apache.commons.dbcp2.BasicDataSource"})
    void underAnotherPoolTheWorkerIdIsLeasedToo(String pool) throws SQLException {
        try (ConfigurableApplicationContext application = start("spring.datasource.type=" + pool)) {
            assertThat(application.getBean(DataSource.class).getClass().getName())
                    .isEqualTo(pool);

            assertThat(save(application).id()).isGreaterThan(1L << 40);

            assertThat(leases()).isOne();
        }
    }

    @Test
    void aBeanOfTheApplicationMakesTheIdsOfAnEntity() {
        try (ConfigurableApplicationContext application =
                start("spring.jpa.properties.idgen.sources.Book.strategy=bean:bookIds")) {
            assertThat(save(application).id()).isEqualTo(1001);
            assertThat(save(application).id()).isEqualTo(1002);
        }
    }

    /** Otherwise, Spring returns the only bean of the type. */
    @Test
    void aMisspeltNameOfABeanIsRefusedWithTheFirstId() {
        try (ConfigurableApplicationContext application =
                start("spring.jpa.properties.idgen.sources.Book.strategy=bean:bookId")) {
            assertThatThrownBy(() -> save(application))
                    .hasStackTraceContaining("IDGEN-104: idgen.sources.Book.strategy: there is no bean 'bookId'");
        }
    }
}
