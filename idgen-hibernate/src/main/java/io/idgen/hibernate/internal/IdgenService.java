package io.idgen.hibernate.internal;

import io.idgen.core.IdSource;
import io.idgen.core.IdSources;
import io.idgen.jdbc.internal.ApplicationDatabase;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
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
    private final transient Map<String, Set<String>> columnsBySource = new HashMap<>();

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
        if (application.isOwnedByThisProcess()) {
            defaults.put("idgen.worker.assigner", "single-process");
        }
        return defaults;
    }

    /**
     * Makes a source's name known, and refuses settings that cannot be right for it. Does no I/O.
     *
     * @param source its name
     * @param column whose values it gives, with its table; a source may give those of several
     */
    synchronized void bind(String source, String column) {
        Set<String> columns = columnsBySource.computeIfAbsent(source, name -> new LinkedHashSet<>());
        columns.add(column);
        sources.bind(source, Map.of("adopt", String.join(",", columns)));
    }

    /**
     * The same where the mapping does not tell the column.
     *
     * @param source its name
     */
    void bind(String source) {
        sources.bind(source, Map.of());
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
