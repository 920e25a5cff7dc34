package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceTable;
import io.idgen.core.text.IdCodec;
import io.idgen.jdbc.internal.connection.ApplicationDatabase;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.hibernate.resource.beans.spi.ManagedBeanRegistry;
import org.hibernate.service.Service;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.service.spi.Stoppable;

/**
 * The sources of one service registry: made from its settings, shared by all its generators, opened by the first id, closed
 * with the registry. Settings are checked at boot; nothing does I/O before the first id, unless {@code idgen.startup} is {@code
 * eager}: then before the end of the boot. Safe for many threads.
 */
public final class IdgenService implements Service, Stoppable {
    private static final long serialVersionUID = 1L;

    /** What the settings of one source begin with. */
    static final String SOURCES = "idgen.sources.";

    private static final String ORIGIN = "Hibernate's settings";

    /** A DataSource for idgen alone, as an object. */
    private static final String DATA_SOURCE = "idgen.jdbc.data-source";

    /** How a setting of a strategy says that a bean is the source. */
    private static final String BEAN = "bean:";

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
                own.put(name, isStrategy(name) ? strategy(name, value, builder, registry) : String.valueOf(value));
            }
        });
        builder.settings(own, ORIGIN);
        builder.settings(defaults(), "a default for a database embedded in this process");
        application
                .dataSource()
                .map(ApplicationDatabase::new)
                .ifPresent(database -> builder.resource(ApplicationDatabase.class, database));
        this.sources = builder.startLater().build();
    }

    private static boolean isStrategy(String name) {
        return name.equals("idgen.strategy") || (name.startsWith(SOURCES) && name.endsWith(".strategy"));
    }

    /** The name of a strategy; one that is an object, or names a bean, is made known under a name. */
    private static String strategy(
            String setting, Object value, IdSources.Builder builder, ServiceRegistryImplementor registry) {
        if (value instanceof IdStrategy strategy) {
            builder.strategy(strategy);
            return strategy.name();
        }
        if (value instanceof IdSource source) {
            String name = "object given as " + setting;
            builder.strategy(new GivenSource(name, () -> source));
            return name;
        }
        String name = String.valueOf(value).strip();
        if (name.startsWith(BEAN)) {
            builder.strategy(new GivenSource(name, () -> bean(name.substring(BEAN.length()), setting, registry)));
        }
        return name;
    }

    private static IdSource bean(String name, String setting, ServiceRegistryImplementor registry) {
        try {
            return registry.requireService(ManagedBeanRegistry.class)
                    .getBean(name, IdSource.class)
                    .getBeanInstance();
        } catch (RuntimeException e) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    setting + ": there is no bean '" + name + "' that is an " + IdSource.class.getName()
                            + "; Hibernate knows beans only from a container, or from hibernate.resource.beans.container",
                    e);
        }
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
     * Makes a source's name known, and refuses settings that cannot be right for it, and types that cannot hold its ids. Does
     * no I/O.
     *
     * @param source its name
     * @param attribute one whose values it gives; a source may give those of several, and begins above them all
     * @param codec how texts are written
     * @return what the attribute makes of an id
     */
    synchronized IdType bind(String source, Attribute attribute, IdCodec codec) {
        IdType type = IdType.of(attribute.type(), codec).orElseThrow(() -> unsupported(attribute));
        Set<String> columns = columnsBySource.computeIfAbsent(source, name -> new LinkedHashSet<>());
        if (type.isNumber()) {
            columns.addAll(attribute.columns());
        }
        sources.bind(source, columns.isEmpty() ? Map.of() : Map.of("adopt", String.join(",", columns)));
        long largestId = sources.plan(source).largestId();
        if (largestId > type.largest()) {
            throw new ConfigurationException(
                    ErrorCode.UNSUPPORTED_ID_TYPE,
                    "@SnowflakeId stands on " + attribute + ", whose type "
                            + attribute.type().getName()
                            + " ends at " + type.largest() + ", and its source '" + source + "' ("
                            + sources.strategy(source)
                            + ") gives ids up to " + largestId
                            + "; make it a long, or take a strategy with "
                            + SOURCES + source + ".limit=" + (type.largest() + 1));
        }
        return type;
    }

    private static ConfigurationException unsupported(Attribute attribute) {
        String way = attribute.type().getName().equals("java.util.UUID")
                ? "idgen's ids have 63 bits, and it makes no UUIDs: make it a long or String, or use @UuidGenerator"
                : "make it a long, int, BigInteger or String, or a class with a constructor that takes one of them";
        return new ConfigurationException(
                ErrorCode.UNSUPPORTED_ID_TYPE,
                "@SnowflakeId stands on " + attribute + ", which is of type "
                        + attribute.type().getName() + "; " + way);
    }

    /**
     * The statements that make the tables which the bound sources look for beside the entities.
     *
     * @param database as idgen's scripts call it
     * @return none if they need no table, or look for it elsewhere
     */
    synchronized List<String> createTables(String database) {
        Map<String, SourceTable> tables = new TreeMap<>();
        columnsBySource
                .keySet()
                .forEach(source -> sources.plan(source).tables().forEach(table -> tables.put(table.name(), table)));
        return tables.values().stream()
                .flatMap(table -> table.ddl().apply(database).stream())
                .toList();
    }

    /** Refuses settings of sources that no attribute has; called when all are bound. */
    void refuseUnboundNames() {
        sources.refuseUnbound(ORIGIN);
    }

    /** Starts the sources whose settings have them start at once; called when the schema is there. */
    void start() {
        sources.start();
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

    /**
     * A bound source for the application itself.
     *
     * @param source its name
     * @return the source; closing it does nothing
     */
    public IdSource lend(String source) {
        return new Borrowed(source(source));
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
