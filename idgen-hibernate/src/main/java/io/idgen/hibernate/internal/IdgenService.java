package io.idgen.hibernate.internal;

import io.idgen.core.IdSource;
import io.idgen.core.IdSources;
import io.idgen.jdbc.internal.ApplicationDatabase;
import io.idgen.jdbc.internal.EmbeddedDatabase;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.service.Service;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.service.spi.Stoppable;

/**
 * The sources of one service registry: made from its settings, shared by all its generators, opened by the first id, closed
 * with the registry. Settings are checked at boot; nothing does I/O before the first id.
 */
public final class IdgenService implements Service, Stoppable {
    private static final long serialVersionUID = 1L;

    /** A DataSource for idgen alone, as an object. */
    private static final String DATA_SOURCE = "idgen.jdbc.data-source";

    private final transient ApplicationConnections application;
    private final transient IdSources sources;

    IdgenService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
        this.application = new ApplicationConnections(settings, registry);
        IdSources.Builder builder = IdSources.builder();
        Map<String, String> own = new LinkedHashMap<>();
        settings.forEach((key, value) -> {
            String name = key.startsWith("hibernate.idgen.") ? key.substring("hibernate.".length()) : key;
            if (name.equals(DATA_SOURCE) && value instanceof DataSource dataSource) {
                builder.resource(DataSource.class, dataSource);
            } else if (name.startsWith("idgen.")) {
                own.put(name, String.valueOf(value));
            }
        });
        builder.settings(own, "Hibernate's settings");
        builder.settings(defaults(), "a default for a database embedded in this process");
        application
                .dataSource()
                .map(ApplicationDatabase::new)
                .ifPresent(database -> builder.resource(ApplicationDatabase.class, database));
        this.sources = builder.build();
    }

    /** An embedded database has no other process whose worker id could be the same. */
    private Map<String, String> defaults() {
        Map<String, String> defaults = new HashMap<>();
        if (application.url().filter(EmbeddedDatabase::isOwnedByThisProcess).isPresent()) {
            defaults.put("idgen.worker.assigner", "single-process");
        }
        return defaults;
    }

    /**
     * Makes a source's name known, and refuses settings that cannot be right for it. Does no I/O.
     *
     * @param source its name
     * @param known settings that follow from the mapping, weaker than all others
     */
    void bind(String source, Map<String, String> known) {
        sources.bind(source, known);
    }

    /**
     * A bound source; opened by the first call.
     *
     * @param source its name
     * @return the source, closed by this service
     */
    IdSource source(String source) {
        return sources.get(source);
    }

    @Override
    public void stop() {
        try {
            sources.close();
        } finally {
            application.close();
        }
    }
}
