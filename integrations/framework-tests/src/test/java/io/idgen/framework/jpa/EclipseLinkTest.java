package io.idgen.framework.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.util.Map;

class EclipseLinkTest extends OtherProviderContract {
    @Override
    EntityManagerFactory factory(Map<String, String> connection) {
        // without persistence.xml, which version 5.0.0 rejects whatever it contains
        EntityManagerFactory factory = new PersistenceConfiguration("invoices")
                .managedClass(Invoice.class)
                .properties(connection)
                .createEntityManagerFactory();
        assertThat(factory.getClass().getName()).startsWith("org.eclipse.persistence");
        return factory;
    }
}
