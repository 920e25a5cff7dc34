package io.idgen.spring.boot;

import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Opens the sources with {@code idgen.startup=eager} when all beans of the application exist. A wrong password or a
 * missing table then fails the deployment, not the first insert. Refuses settings for a misspelt source, and
 * logs a line for each generator.
 *
 * @param binder the sources of the application
 * @param all those of the units as well
 * @param settings those that name sources
 * @param beans those of the application
 */
record EagerStart(SourceBinder binder, UnitSources all, IdgenSettings settings, ListableBeanFactory beans)
        implements SmartInitializingSingleton {
    private static final System.Logger LOG = System.getLogger(EagerStart.class.getName());

    @Override
    public void afterSingletonsInstantiated() {
        all.awaitBoots();
        Set<String> known = all.names();
        if (!settings.isLazy()) { // otherwise entities and beans may follow later
            Map<String, String> entities = all.sourceByEntity();
            entities.putAll(binder.sourceByEntity());
            beans.getBeanProvider(BindsLater.class).forEach(later -> entities.putAll(later.sourceByEntity()));
            known.addAll(entities.values());
            refuseMisspelt(known, entities);
        }
        for (String name : settings.sources()) {
            if (!known.contains(name)) {
                binder.bind(name, Map.of());
            }
        }
        binder.start();
        all.forEach(EagerStart::log);
    }

    /**
     * Refuses names that nothing uses and that resemble that of a source, or name an entity instead of its table. Code
     * may look up the others later.
     */
    private void refuseMisspelt(Set<String> known, Map<String, String> entities) {
        for (String name : settings.sources()) {
            if (!settings.origin(name).isEmpty() && !all.isInjected(name)) {
                SourceBinder.refuseMisspelt(name, settings.origin(name), known, entities);
            }
        }
    }

    /** Logs a line for the sources of each generator, since an application may have hundreds of entities. */
    private static void log(String prefix, IdSources sources) {
        sources.names().stream()
                .collect(Collectors.groupingBy(name -> generator(sources, name)))
                .forEach((generator, names) -> LOG.log(
                        System.Logger.Level.INFO,
                        "sources '" + prefix + String.join("', '" + prefix, names) + "': " + generator));
    }

    private static String generator(IdSources sources, String name) {
        return sources.plan(name).tables().stream()
                .map(table -> ", table " + table.name())
                .collect(Collectors.joining("", sources.strategy(name), ""));
    }
}
