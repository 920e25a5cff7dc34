package io.idgen.framework.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entities of a JPA provider that is not Hibernate: they get their ids in the constructor. */
abstract class OtherProviderContract {
    @AutoClose
    private final Database database = TestDatabase.POSTGRESQL.create();

    @AutoClose
    private final IdSources sources = IdSources.builder()
            .resource(DataSource.class, database.dataSource())
            .set("idgen.jdbc.initialize-schema", "always")
            .source("Invoice")
            .build();

    @BeforeEach
    void tables() throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE invoice (id bigint PRIMARY KEY, customer varchar(20))");
        }
    }

    /** Creates the factory of the provider under test. */
    abstract EntityManagerFactory factory(Map<String, String> connection);

    private EntityManagerFactory factory() {
        return factory(Map.of(
                "jakarta.persistence.jdbc.driver", "org.postgresql.Driver",
                "jakarta.persistence.jdbc.url", database.plainUrl(),
                "jakarta.persistence.jdbc.user", database.user(),
                "jakarta.persistence.jdbc.password", database.password()));
    }

    @Test
    void invoicesHaveTheirIdsBeforeTheInsertAndAreFoundByThem() {
        try (EntityManagerFactory factory = factory()) {
            List<Invoice> invoices = Stream.of("Dorothea", "Edward", "Will")
                    .map(customer -> new Invoice(sources.get("Invoice"), customer))
                    .toList();
            try (EntityManager entities = factory.createEntityManager()) {
                entities.getTransaction().begin();
                invoices.forEach(entities::persist);
                entities.getTransaction().commit();
            }

            assertThat(invoices.stream().map(Invoice::id))
                    .doesNotHaveDuplicates()
                    .allMatch(id -> id > 1L << 40);
            try (EntityManager entities = factory.createEntityManager()) {
                for (Invoice invoice : invoices) {
                    assertThat(entities.find(Invoice.class, invoice.id()).customer())
                            .isEqualTo(invoice.customer());
                }
            }
        }
    }
}
