package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

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
        return registry.bind(name, known);
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
     * Throws if a name in settings is none of the bound ones. For a framework whose names are bound by several binders,
     * instead of {@link #refuseUnbound}.
     *
     * @param name the name of a source that has settings
     * @param origin the place of one of these settings
     * @param bound the names that all binders have bound
     * @throws ConfigurationException if the name is not among them; the message lists the most similar ones
     */
    public static void refuseUnknown(String name, String origin, Set<String> bound) {
        SourceRegistry.refuseUnknown(name, origin, bound);
    }

    /**
     * Returns whether a name in settings is probably one of the bound ones, misspelt.
     *
     * @param name the name of a source that has settings
     * @param bound the names that all binders have bound
     * @return true if it is none of them, and differs from one by at most two letters, ignoring case
     */
    public static boolean isMisspelt(String name, Set<String> bound) {
        return !bound.contains(name) && bound.stream().anyMatch(other -> Settings.isSimilar(name, other));
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
