package io.idgen.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;
import java.util.function.Consumer;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * An application that a container loads, runs with settings, and discards. Public, because it is created by reflection.
 */
public final class LoadedApplication implements Consumer<Map<String, String>> {

    /** Called by the container. */
    public LoadedApplication() {}

    @Entity
    static class Assigned {
        @Id
        long id = 1;
    }

    /** Persists one entity. Without a setting of idgen, it persists an entity with an assigned id. */
    @Override
    public void accept(Map<String, String> settings) {
        boolean isControl = settings.keySet().stream().noneMatch(key -> key.startsWith("idgen."));
        Object entity = isControl ? new Assigned() : new Plain();
        Configuration configuration = new Configuration().addAnnotatedClass(entity.getClass());
        settings.forEach(configuration::setProperty);
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            factory.inTransaction(session -> session.persist(entity));
        }
    }
}
