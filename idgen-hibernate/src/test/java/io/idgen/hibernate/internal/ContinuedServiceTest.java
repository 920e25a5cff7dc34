package io.idgen.hibernate.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.text.IdCodec;
import java.util.List;
import java.util.Set;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Quarkus reads the mapping in one registry, closes it, and creates the session factory in another. */
class ContinuedServiceTest {
    @AutoClose
    private final Database database = TestDatabase.H2.create();

    private StandardServiceRegistry registry() {
        return new StandardServiceRegistryBuilder()
                .applySetting("jakarta.persistence.jdbc.url", database.url())
                .build();
    }

    private static IdgenService bound(StandardServiceRegistry registry) {
        IdgenService service = registry.requireService(IdgenService.class);
        service.bind("book", new Attribute(List.of("Book"), "book", "id", Long.class, Set.of(), true), IdCodec.BASE32);
        return service;
    }

    @Test
    void aStoppedServiceContinuesInTheRegistryOfTheFactoryWithTheSameSources() {
        StandardServiceRegistry ofMapping = registry();
        IdgenService service = bound(ofMapping);
        StandardServiceRegistryBuilder.destroy(ofMapping);
        assertThatThrownBy(() -> service.current().sources().get("book")).hasMessageContaining("IDGEN-107");

        StandardServiceRegistry ofFactory = registry();
        try {
            assertThat(service.continueIn((ServiceRegistryImplementor) ofFactory))
                    .isTrue();

            assertThat(service.current().sources().get("book").nextId()).isPositive();
            assertThat(service.continueIn((ServiceRegistryImplementor) ofFactory))
                    .isFalse();
        } finally {
            service.current().stop();
            StandardServiceRegistryBuilder.destroy(ofFactory);
        }
    }

    @Test
    void aServiceThatRunsIsNotReplaced() {
        StandardServiceRegistry registry = registry();
        try {
            IdgenService service = bound(registry);

            assertThat(service.continueIn((ServiceRegistryImplementor) registry))
                    .isFalse();
            assertThat(service.current()).isSameAs(service);
        } finally {
            StandardServiceRegistryBuilder.destroy(registry);
        }
    }
}
