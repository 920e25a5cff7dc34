package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
    private final SourceRegistry registry;
    private final IdSources sources;

    private SourceBinder(SourceRegistry registry) {
        this.registry = registry;
        this.sources = new IdSources(registry);
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
        return new SourceBinder(builder.registry());
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
        return name.replaceAll("[\"`\\[\\]]", "").toLowerCase(Locale.ROOT);
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
        return registry.bind(name, known, columns, entities);
    }

    /**
     * Returns the names of the bound sources of entities.
     *
     * @return by each name of the entity; a copy
     */
    public Map<String, String> sourceByEntity() {
        return Map.copyOf(registry.sourceByEntity);
    }

    /**
     * Throws if there are settings for names that are not bound; they are mistyped. Call this when all names are bound.
     *
     * @param origin the place whose settings are checked, as given to {@link IdSources.Builder#settings}; those of
     *     another place may be for another {@code IdSources} of this process
     * @throws ConfigurationException if there are such settings
     */
    public void refuseUnbound(String origin) {
        registry.refuseUnbound(origin);
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
                || SourceRegistry.ofEntity(name, sourceByEntity).isPresent()) {
            SourceRegistry.refuseUnknown(name, origin, bound, sourceByEntity);
        }
    }

    /**
     * Checks that the bound sources have what only a running application has, such as a database or a worker id. Opens
     * nothing. Omit this call if the mapping is only read, as in a build. Opening a source checks the same.
     *
     * @throws ConfigurationException if something is missing
     */
    public void check() {
        registry.checkBound();
    }

    /**
     * Opens the bound sources for which {@code idgen.startup} is {@code eager}, and waits for what they need.
     *
     * @throws IdGenerationException if one cannot start; those that have started stay open until the sources are closed
     */
    public void start() {
        registry.startBound();
    }
}
