package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.SourceBinder;
import io.idgen.core.config.SourceTable;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.ApplicationDatabase;
import io.idgen.jdbc.internal.connection.ApplicationSchema;
import io.idgen.text.IdCodec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.mapping.Property;
import org.hibernate.service.Service;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.service.spi.Stoppable;
import org.jspecify.annotations.Nullable;

/**
 * The sources of one service registry. All its generators share them. The first id opens a source, and the registry
 * closes it. Settings are checked at boot. There is no I/O before the first id, unless {@code idgen.startup} is
 * {@code eager}: then it happens before the end of the boot. Safe for many threads.
 */
public final class IdgenService implements Service, Stoppable {
    private static final long serialVersionUID = 1L;

    /** The prefix of the settings of single sources. */
    static final String SOURCES = "idgen.sources.";

    private static final String ORIGIN = "Hibernate's settings";

    /** The setting for a DataSource object that only idgen uses. */
    private static final String DATA_SOURCE = "idgen.jdbc.data-source";

    /**
     * A {@link SourceBinder} that a framework shares with Hibernate, and closes: then no other setting counts. Or a
     * function that completes the builder of this registry's sources, and creates their binder.
     */
    private static final String SHARED = "idgen.source-binder";

    /** The schema of the tables of a shared binder, if that is a default of the framework; empty if it has none. */
    private static final String SHARED_SCHEMA = "idgen.source-binder.schema";

    private final transient boolean hasTenants;

    /** Whether idgen's tables are in the database of the entities, as far as Hibernate can know. */
    private final transient boolean isOfEntities;

    private final transient SourceBinder binder;
    private final boolean isShared;

    /** Defaults of each source. In an embedded database, no other process can have the same worker id. */
    private final transient Map<String, String> defaults;

    /** By source: its columns, and whether they are primary keys, whose largest value costs one read of an index. */
    private final transient Map<String, Map<String, Boolean>> columnsBySource = new HashMap<>();

    /** By source: what the types of all its attributes hold. */
    private final transient Map<String, Long> typeLimits = new HashMap<>();

    /** The attributes that cannot hold the ids of their sources. */
    private final transient Set<String> tooLarge = new TreeSet<>();

    /** The annotated attributes that have a generator. Weak, since Hibernate forgets its mapping after the boot. */
    private final transient Set<Property> generated = Collections.newSetFromMap(new WeakHashMap<>());

    private final transient List<Binding> bindings = new ArrayList<>();
    private transient volatile boolean isStopped;
    private transient volatile @Nullable IdgenService successor;

    /** The arguments of {@link #bind}. */
    private record Binding(String source, Attribute attribute, IdCodec codec) {}

    IdgenService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
        EntityDatabase database = new EntityDatabase(settings, registry);
        this.hasTenants = database.hasTenants();
        boolean isPassed = false;
        IdSources.Builder builder = IdSources.builder();
        Map<String, String> own = new LinkedHashMap<>();
        for (Map.Entry<String, Object> setting : settings.entrySet()) {
            String key = setting.getKey();
            Object value = setting.getValue();
            String name = key.startsWith("hibernate.idgen.") ? key.substring("hibernate.".length()) : key;
            if (name.startsWith(SHARED) || (name.equals(DATA_SOURCE) && database.uses(value))) {
                continue; // the database of the entities, as if nothing was set
            }
            if (name.equals(DATA_SOURCE) && value instanceof DataSource dataSource) {
                isPassed = true;
                builder.resource(DataSource.class, dataSource);
            } else if (name.startsWith("idgen.")) {
                own.put(name, isStrategy(name) ? strategy(name, value, builder) : String.valueOf(value));
            }
        }
        this.isOfEntities = !hasTenants && !isPassed;
        builder.settings(own, ORIGIN);
        String schema = EntityDatabase.defaultSchema(registry);
        builder.resource(ApplicationSchema.class, new ApplicationSchema(schema, hasTenants));
        if (!hasTenants) { // with tenants, idgen cannot know which of their databases or schemas has its tables
            database.applicationDatabase().ifPresent(found -> builder.resource(ApplicationDatabase.class, found));
        }
        this.isShared = settings.get(SHARED) instanceof SourceBinder;
        this.defaults = database.isOwnedByThisProcess() ? Map.of("worker.assigner", "single-process") : Map.of();
        this.binder = binder(settings.get(SHARED), builder);
        refuseOtherSchema(settings.get(SHARED_SCHEMA), schema == null ? "" : schema);
    }

    /**
     * Returns the service of a factory.
     *
     * @param factory the factory
     * @return the service that its generators use; the factory stops it
     */
    public static IdgenService of(SessionFactoryImplementor factory) {
        return factory.getServiceRegistry().requireService(IdgenService.class).current();
    }

    @SuppressWarnings("unchecked") // a framework and this class agree on the type
    private static SourceBinder binder(@Nullable Object ofFramework, IdSources.Builder builder) {
        if (ofFramework instanceof Function<?, ?> completing) {
            return ((Function<IdSources.Builder, SourceBinder>) completing).apply(builder);
        }
        return ofFramework instanceof SourceBinder shared ? shared : SourceBinder.of(builder);
    }

    /** Refuses a shared binder whose tables are not where Hibernate's settings would put them. */
    private void refuseOtherSchema(@Nullable Object ofBinder, String ofEntities) {
        if (isShared && ofBinder != null && !ofBinder.equals(ofEntities)) {
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING,
                    "Hibernate's default schema is '" + ofEntities + "', but idgen's tables would be in '" + ofBinder
                            + "' (empty is the default schema of the connections): a process without the framework uses"
                            + " other rows, and ids would repeat; set hibernate.default_schema (or default_catalog) in"
                            + " spring.jpa.properties, or set idgen.jdbc.schema in all processes");
        }
    }

    private static boolean isStrategy(String name) {
        return name.equals("idgen.strategy") || (name.startsWith(SOURCES) && name.endsWith(".strategy"));
    }

    /** Returns the name of a strategy. Registers an object as a strategy with a name. */
    private static String strategy(String setting, Object value, IdSources.Builder builder) {
        if (value instanceof IdStrategy strategy) {
            builder.strategy(strategy);
            return strategy.name();
        }
        if (value instanceof IdSource source) {
            String name = "object given as " + setting;
            builder.strategy(IdStrategy.of(name, () -> source));
            return name;
        }
        return String.valueOf(value).strip();
    }

    /**
     * Registers a source for an attribute, and checks its settings and the attribute's type. Does no I/O.
     *
     * @param source the name of the source
     * @param attribute an attribute with values of the source. A source may serve several attributes, and begins above
     *     the values of all
     * @param codec the encoding of text attributes
     * @return converts ids to the type of the attribute
     * @throws ConfigurationException if a setting is invalid, or the type cannot hold the ids
     */
    synchronized IdType bind(String source, Attribute attribute, IdCodec codec) {
        IdType type = IdType.of(attribute.type(), codec).orElseThrow(() -> unsupported(attribute));
        bindings.add(new Binding(source, attribute, codec));
        Map<String, Boolean> columns = columnsBySource.computeIfAbsent(source, name -> new LinkedHashMap<>());
        if (type.isNumber() && !hasTenants) {
            attribute.columns().forEach(column -> columns.merge(column, attribute.isKey(), Boolean::logicalOr));
        }
        Map<String, String> known = isShared ? new HashMap<>() : new HashMap<>(defaults);
        if (!columns.isEmpty()) {
            known.put("adopt", String.join(",", columns.keySet()));
        }
        String keys = columns.keySet().stream().filter(columns::get).collect(Collectors.joining(","));
        if (!keys.isEmpty()) {
            known.put("id-columns", keys);
        }
        Set<String> entities = attribute.isKey() ? Set.copyOf(attribute.entities()) : Set.of();
        long limit = typeLimits.merge(source, type.largest(), Math::min);
        if (limit < Long.MAX_VALUE) {
            known.put("type-limit", Long.toString(limit + 1));
        }
        long largestId =
                binder.bind(source, known, attribute.columns(), entities).largestId();
        if (largestId > type.largest()) {
            tooLarge.add(attribute + " (" + attribute.type().getSimpleName() + ", up to " + type.largest()
                    + "; source '" + source + "', strategy " + binder.sources().strategy(source) + ", up to "
                    + largestId + ")");
        }
        return type;
    }

    /** Returns the annotated attributes that have a generator. */
    Set<Property> generated() {
        return generated;
    }

    /** Refuses the attributes whose types cannot hold their ids; call it when all sources are bound. */
    void refuseTooLarge() {
        if (!tooLarge.isEmpty()) {
            throw new ConfigurationException(
                    ErrorCode.UNSUPPORTED_ID_TYPE,
                    "the ids of these sources do not fit in their attributes: " + String.join(", ", tooLarge)
                            + "; change the type to long, or choose a strategy of small ids, idgen.strategy=segment or "
                            + SOURCES + "<name>.strategy=segment, whose limit follows from the type");
        }
    }

    private static ConfigurationException unsupported(Attribute attribute) {
        String way = attribute.type().getName().equals("java.util.UUID")
                ? "idgen's ids have 63 bits and are not UUIDs: change the type to long or String, or use @UuidGenerator"
                : "change the type to long, int, BigInteger or String, or to a class with a constructor that takes"
                        + " one of them";
        return new ConfigurationException(
                ErrorCode.UNSUPPORTED_ID_TYPE,
                "@SnowflakeId is on " + attribute + ", which is of type "
                        + attribute.type().getName() + "; " + way);
    }

    /**
     * Returns the DDL of the tables that the bound sources need in the database of the entities.
     *
     * @param dialect the dialect of the database
     * @return statements of one line each; empty if the sources need no table, use another database, or migrations
     *     create the tables
     */
    synchronized List<String> createTables(Dialect dialect) {
        if (!isOfEntities) {
            return List.of();
        }
        Map<String, SourceTable> tables = new TreeMap<>();
        columnsBySource
                .keySet()
                .forEach(source ->
                        binder.sources().plan(source).tables().forEach(table -> tables.put(table.name(), table)));
        return tables.values().stream()
                .filter(table -> table.createdBy() != SourceTable.CreatedBy.MIGRATIONS)
                .flatMap(table -> table.ddl().apply(dialect.name()).stream()
                        .map(statement -> statement.replaceAll("\\s+", " "))
                        .map(statement -> statement.startsWith("CREATE TABLE ")
                                ? dialect.withoutWarning(table.name(), statement)
                                : statement))
                .toList();
    }

    /** Refuses settings of sources that no attribute has; call it when all sources are bound. */
    void refuseUnboundNames() {
        if (!isShared) {
            binder.refuseUnbound(ORIGIN); // if shared, they may be sources of the application
        }
    }

    /** Checks that the bound sources have a database and a worker id; call it when the application starts. */
    void check() {
        binder.check();
    }

    /** Starts the sources with {@code idgen.startup=eager}; call it when the schema exists. */
    void start() {
        if (!isShared) {
            binder.start();
        }
    }

    /**
     * Returns all sources.
     *
     * @return the sources, which this service closes
     */
    public IdSources sources() {
        return binder.sources();
    }

    /** Returns the service to use: this one, or the one that has continued its work in another registry. */
    IdgenService current() {
        IdgenService next = successor;
        return next == null ? this : next.current();
    }

    /**
     * Binds the same attributes in the registry of a factory, if this service was stopped. Quarkus reads the mapping in
     * a registry that it closes, and creates the session factory in another one, which has no such service.
     *
     * @return whether another service continues now; the factory has to stop it
     */
    synchronized boolean continueIn(ServiceRegistryImplementor registry) {
        if (!isStopped || successor != null) {
            return false;
        }
        IdgenService next = new IdgenService(
                registry.requireService(ConfigurationService.class).getSettings(), registry);
        bindings.forEach(binding -> next.bind(binding.source, binding.attribute, binding.codec));
        next.generated.addAll(generated);
        successor = next;
        return true;
    }

    @Override
    public void stop() {
        isStopped = true;
        if (!isShared) {
            binder.sources().close();
        }
    }
}
