package io.idgen.core.config;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.StoreUnreachableException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link IdSources} for a framework that learns the names of its sources from elsewhere, as an ORM does from
 * its mappings. Applications use {@link IdSources#builder}.
 *
 * <pre>{@code
 * SourceBinder binder = SourceBinder.of(IdSources.builder().settings(settings, "the mapping"));
 * SourcePlan orders = binder.bind("orders", Map.of("adopt", "orders.id"));  // for each name: checks its settings
 * binder.refuseUnbound("the mapping");                                      // finds typing errors
 * binder.check();                                                           // when the application starts
 * binder.start();                                                           // when the schema exists
 * IdSources sources = binder.sources();                                     // closed by the framework
 * }</pre>
 *
 * <p>Safe for many threads.
 */
public final class SourceBinder {
    private final IdSources sources;
    private final Set<String> bound = ConcurrentHashMap.newKeySet();
    private final Map<String, String> sourceByColumn = new ConcurrentHashMap<>();

    private SourceBinder(IdSources sources) {
        this.sources = sources;
    }

    /**
     * Checks all settings. A name that has settings is planned when it is bound or used; until then, {@link
     * IdSources#names} does not contain it. Does no I/O and opens no source, whatever {@code idgen.startup} is set to.
     *
     * @param builder with the settings, resources and strategies, and the names that are already known
     * @return a binder
     * @throws ConfigurationException if a setting or a strategy is unknown, or a value is invalid
     */
    public static SourceBinder of(IdSources.Builder builder) {
        SourceBinder binder = new SourceBinder(builder.unbound());
        for (String name : builder.names) {
            binder.bind(name, Map.of());
        }
        return binder;
    }

    /**
     * Returns the name of a table's source, unless the application names it. All frameworks use this rule, so each
     * table has one source, whichever classes are mapped to it.
     *
     * @param table the table as the mapping writes it, with its schema or catalog if the mapping has one, quoted or not
     * @param defaults the schema and the catalog of tables that the mapping leaves unqualified; null or empty if there
     *     is none
     * @return the table in lower case, since databases and naming strategies fold the case of names differently;
     *     without quotes, and without a schema or catalog that is a default
     */
    public static String nameOf(String table, @Nullable String... defaults) {
        String name = plain(table);
        for (String qualifier : defaults) {
            String prefix = plain(qualifier == null ? "" : qualifier) + ".";
            name = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
        }
        return name;
    }

    /**
     * Returns the name of the source in the name of a setting, such as {@code orders.number} in {@code
     * idgen.sources.orders.number.segment.step}.
     *
     * @param setting {@code idgen.sources.}, a name that may contain dots, and the rest of a setting
     * @return the shortest name with which the rest is a setting of a strategy on the class path; if there is none, all
     *     up to the first dot
     */
    public static String nameIn(String setting) {
        int start = Setting.SOURCES.length();
        int end = setting.indexOf('.', start);
        if (end >= 0 && setting.indexOf('.', end + 1) >= 0) {
            end = Math.max(end, Settings.endOfSource(setting, IdSources.settings()));
        }
        return end < 0 ? setting.substring(start) : setting.substring(start, end);
    }

    private static String plain(String name) {
        return name.replace("\"", "")
                .replace("`", "")
                .replace("[", "")
                .replace("]", "")
                .toLowerCase(Locale.ROOT);
    }

    /**
     * Returns a source that is not known yet, for code that may close it: {@code close()} has no effect.
     *
     * @param owner finds the source at the first id; always the same one, and safe for many threads
     * @return a source that {@code owner} is asked for once something is requested from it
     */
    public static IdSource lend(Supplier<? extends IdSource> owner) {
        return new LentSource(owner);
    }

    /**
     * Returns the sources. A name can be used as soon as it is bound.
     *
     * @return always the same object; the framework closes it
     */
    public IdSources sources() {
        return sources;
    }

    /**
     * Makes a name known and plans its source, with defaults from the framework. Until the source is open, a later call
     * with other defaults replaces an earlier one. Does no I/O, and needs neither a database nor a worker id.
     *
     * @param name the name of the source
     * @param known settings of this source without their prefix, for example {@code adopt}; settings from all other
     *     places take precedence
     * @return the plan, with the largest id and the tables of the source
     * @throws ConfigurationException if a setting of this name is invalid
     */
    public SourcePlan bind(String name, Map<String, String> known) {
        return bind(name, known, Set.of(), Set.of());
    }

    /**
     * Binds a name as {@link #bind(String, Map)} does, for columns of an entity.
     *
     * @param name the name of the source
     * @param known settings of this source without their prefix
     * @param columns the columns that the source fills, each with its table as the mapping writes it
     * @param entities the names of the entity, such as that of its class. A setting that names the entity is refused
     *     with a message that has the name of the source
     * @return the plan, with the largest id and the tables of the source
     * @throws ConfigurationException if a setting of this name is invalid, or another name is bound for one of the
     *     columns and not both are snowflakes
     */
    public SourcePlan bind(String name, Map<String, String> known, Set<String> columns, Set<String> entities) {
        sources.makeKnown(name, known);
        bound.add(name);
        for (String entity : entities) {
            sources.sourceByEntity.put(entity, name);
        }
        for (String column : columns) {
            refuseSecondName(name, column);
        }
        return sources.plan(name);
    }

    /** Refuses two names over one column, which would have two rows; snowflakes of all names share a worker id. */
    private void refuseSecondName(String name, String column) {
        String other = sourceByColumn.putIfAbsent(column.toLowerCase(Locale.ROOT), name);
        if (other != null
                && !other.equals(name)
                && !(sources.strategy(name).equals(SnowflakeStrategy.NAME)
                        && sources.strategy(other).equals(SnowflakeStrategy.NAME))) {
            throw new ConfigurationException(
                    ErrorCode.INVALID_NAME,
                    "the sources '" + other + "' and '" + name + "' are for one column, " + column
                            + ", and would generate equal ids; give both the same name");
        }
    }

    /**
     * Returns the names of the bound sources of entities.
     *
     * @return by each name of the entity; a copy
     */
    public Map<String, String> sourceByEntity() {
        return Map.copyOf(sources.sourceByEntity);
    }

    /**
     * Throws if there are settings for names that are not bound; they are mistyped. Call this when all names are bound.
     *
     * @param origin the place whose settings are checked, as given to {@link IdSources.Builder#settings}; those of
     *     another place may be for another {@code IdSources} of this process
     * @throws ConfigurationException if there are such settings
     */
    public void refuseUnbound(String origin) {
        sources.originOfNames.forEach((name, from) -> {
            if (from.equals(origin)) {
                refuseUnknown(name, origin, bound, sources.sourceByEntity);
            }
        });
    }

    static String advice(String name, Set<String> known, Map<String, String> sourceByEntity) {
        return ofEntity(name, sourceByEntity)
                .map(source -> name + " is an entity; write its table: " + Setting.SOURCES + source + ".…")
                .orElseGet(() ->
                        known.isEmpty() ? "none is known" : "the nearest known are " + Settings.nearest(name, known));
    }

    /** Returns the source of the entity with this name, with or without its package, ignoring case. */
    private static Optional<String> ofEntity(String name, Map<String, String> sourceByEntity) {
        return sourceByEntity.entrySet().stream()
                .filter(entity -> name.equalsIgnoreCase(entity.getKey())
                        || name.equalsIgnoreCase(entity.getKey().replaceFirst(".*[.$]", "")))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static void refuseUnknown(
            String name, String origin, Set<String> bound, Map<String, String> sourceByEntity) {
        if (!bound.contains(name)) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    "settings speak of a source '" + name + "', and there is none; "
                            + advice(name, bound, sourceByEntity) + " (from " + origin + ")");
        }
    }

    /**
     * Throws if a name in settings is probably that of a bound source, misspelt, or that of an entity. For a framework
     * whose names are bound by several binders, instead of {@link #refuseUnbound}.
     *
     * @param name the name of a source that has settings
     * @param origin the place of one of these settings
     * @param bound the names that all binders have bound
     * @param sourceByEntity the names of the sources of entities, as {@link #sourceByEntity} returns them
     * @throws ConfigurationException if the name is not bound, and differs from a bound one by at most two letters,
     *     ignoring case, or is the name of an entity; the message has the name to write
     */
    public static void refuseMisspelt(
            String name, String origin, Set<String> bound, Map<String, String> sourceByEntity) {
        if (bound.stream().anyMatch(other -> Settings.isSimilar(name, other))
                || ofEntity(name, sourceByEntity).isPresent()) {
            refuseUnknown(name, origin, bound, sourceByEntity);
        }
    }

    /**
     * Checks that the bound sources have what only a running application has, such as a database or a worker id. Opens
     * nothing. Omit this call if the mapping is only read, as in a build. Opening a source checks the same.
     *
     * @throws ConfigurationException if something is missing
     */
    public void check() {
        for (String name : bound) {
            sources.plan(name).check().run();
        }
    }

    /**
     * Opens the bound sources for which {@code idgen.startup} is {@code eager}, and waits for what they need.
     *
     * @throws IdGenerationException if one cannot start; those that have started stay open until the sources are closed
     */
    public void start() {
        for (String name : bound) {
            if (sources.context(name).get(Strategies.STARTUP) == Strategies.Startup.EAGER) {
                start(name);
            }
        }
    }

    private void start(String name) {
        try {
            sources.get(name).warmUp();
        } catch (AllocationException | IdUnavailableException e) {
            throw new IdGenerationException(
                    e.code(),
                    "source '" + name + "' did not start: " + reason(e).text(),
                    e);
        }
    }

    /** Returns the failure of the store, if there is one: the text for callers says that idgen tries again. */
    private static IdGenerationException reason(IdGenerationException e) {
        Throwable cause = e;
        while (cause != null && !(cause instanceof StoreUnreachableException)) {
            cause = cause.getCause();
        }
        return cause instanceof StoreUnreachableException unreachable ? unreachable : e;
    }
}
