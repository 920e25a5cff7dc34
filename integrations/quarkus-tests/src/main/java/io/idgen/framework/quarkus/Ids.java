package io.idgen.framework.quarkus;

import io.idgen.core.config.IdSources;
import io.idgen.hibernate.EntityIds;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManagerFactory;

/** The sources of the entities as a bean. */
class Ids {
    @Produces
    @Singleton
    IdSources idSources(EntityManagerFactory factory) {
        return EntityIds.sources(factory);
    }
}
