package io.idgen.framework.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.hibernate.EntityIds;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManagerFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** A Quarkus application. Quarkus reads the mapping in one registry and uses it in another one. */
@QuarkusTest
@QuarkusTestResource(PostgreSql.class)
class QuarkusApplicationTest {
    @Inject
    Books books;

    @Inject
    EntityManagerFactory factory;

    @Inject
    IdSources sources;

    @Inject
    MeterRegistry registry;

    @TestHTTPResource("/q/health/ready")
    URI ready;

    @Test
    void withTheAnnotationAloneBooksHaveIdsAndTheWorkerIdIsLeased() {
        Book first = books.add();
        Book second = books.add();

        assertThat(first.id()).isGreaterThan(1L << 40);
        assertThat(second.id()).isGreaterThan(first.id());
        assertThat(books.leases()).isOne();
    }

    @Test
    void theApplicationGetsIdsOfTheSameSourceBeforeItPersists() {
        Book persisted = books.add();

        assertThat(EntityIds.of(factory, "Book").nextId()).isGreaterThan(persisted.id());
        assertThat(sources.lend("Book").nextId()).isGreaterThan(persisted.id());
        assertThat(sources.names()).contains("Book", "Page");
    }

    @Test
    void settingsOfApplicationPropertiesApplyToTheMappingAndToTheIds() {
        assertThat(sources.strategy("Page")).isEqualTo("segment");
        assertThat(books.addPage().id()).isPositive();
    }

    @Test
    void metersShowTheSources() {
        books.add();

        assertThat(registry.get("idgen.ids").tag("idgen.source", "Page").functionCounter())
                .isNotNull();
    }

    @Test
    void healthShowsTheSource() throws Exception {
        books.add();

        assertThat(HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.ofString())
                        .body())
                .contains("\"idgen\"", "\"Book\": \"UP\"");
    }
}
