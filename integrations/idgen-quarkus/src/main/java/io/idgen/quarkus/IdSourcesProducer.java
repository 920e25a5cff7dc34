package io.idgen.quarkus;

import io.idgen.core.config.IdSources;
import io.idgen.hibernate.EntityIds;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManagerFactory;

/** Makes the sources of the entities a bean. The session factory closes them, and so gives worker ids back. */
public class IdSourcesProducer {
    /** Called by Quarkus. */
    public IdSourcesProducer() {}

    @Produces
    @Singleton
    IdSources idSources(EntityManagerFactory factory) {
        return EntityIds.sources(factory);
    }
}
