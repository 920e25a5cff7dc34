package io.idgen.framework.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.Map;

class OpenJpaTest extends OtherProviderContract {
    @Override
    EntityManagerFactory factory(Map<String, String> connection) {
        EntityManagerFactory factory = Persistence.createEntityManagerFactory("invoices", connection);
        assertThat(factory.getClass().getName()).startsWith("org.apache.openjpa");
        return factory;
    }
}
