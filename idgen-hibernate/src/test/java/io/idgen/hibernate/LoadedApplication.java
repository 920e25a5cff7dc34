package io.idgen.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Map;
import java.util.function.Consumer;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** An application that a container loads, runs with settings and forgets. Public, for it is made by reflection. */
public final class LoadedApplication implements Consumer<Map<String, String>> {

    /** Made by the container. */
    public LoadedApplication() {}

    @Entity
    static class Assigned {
        @Id
        long id = 1;
    }

    /** Persists one entity; without a setting of idgen, one whose id is its own. */
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
