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
     * @param builder with the settings, resources and strategies, and the names that are known already
     * @return a binder
     * @throws ConfigurationException if a setting or a strategy is unknown, or a value cannot be right
     */
    public static SourceBinder of(IdSources.Builder builder) {
        return new SourceBinder(builder.registry());
    }

    /**
     * The sources, from the beginning on: a name can be used once it is bound.
     *
     * @return always the same object, which the framework closes
     */
    public IdSources sources() {
        return sources;
    }

    /**
     * Makes a name known and plans its source, with the defaults that the framework has for it. The last call counts,
     * until the source is open. Does no I/O.
     *
     * @param name the source's name
     * @param known settings of this source without their prefix, for example {@code adopt}; all other places of
     *     settings come before them
     * @return the plan, with the largest id and the tables of the source
     * @throws ConfigurationException if the settings for this name cannot be right
     */
    public SourcePlan bind(String name, Map<String, String> known) {
        return registry.bind(name, known);
    }

    /**
     * Refuses settings for names that are not bound, which are typing errors. Call it when everything is bound.
     *
     * @param origin the place whose settings are checked, as given to {@link IdSources.Builder#settings}; those of
     *     another place may be for another {@code IdSources} of this process
     * @throws ConfigurationException if there are such settings
     */
    public void refuseUnbound(String origin) {
        registry.refuseUnbound(origin);
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
