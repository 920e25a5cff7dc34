package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdGenerationException;
import java.util.Map;

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
     * Checks all settings. Does no I/O and opens no source, whatever {@code idgen.startup} is set to.
     *
     * @param builder with the settings, resources and strategies, and the names that are already known
     * @return a binder
     * @throws ConfigurationException if a setting or a strategy is unknown, or a value is invalid
     */
    public static SourceBinder of(IdSources.Builder builder) {
        return new SourceBinder(builder.registry());
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
