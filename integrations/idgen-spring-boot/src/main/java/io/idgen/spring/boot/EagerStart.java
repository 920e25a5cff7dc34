package io.idgen.spring.boot;

import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import io.idgen.core.config.SourceTable;
import io.idgen.spring.boot.internal.BindsLater;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Opens the sources with {@code idgen.startup=eager} when all beans of the application exist. A wrong password or a
 * missing table then fails the deployment, not the first insert. Refuses settings for a misspelt entity or unit, and
 * logs a line for each source.
 *
 * @param binder the sources of the application
 * @param all those of the units as well
 * @param settings those that name sources
 * @param beans those of the application, which may use sources
 */
record EagerStart(SourceBinder binder, UnitSources all, IdgenSettings settings, ConfigurableListableBeanFactory beans)
        implements SmartInitializingSingleton {
    private static final System.Logger LOG = System.getLogger(EagerStart.class.getName());

    @Override
    public void afterSingletonsInstantiated() {
        all.awaitBoots();
        Set<String> known = all.names();
        if (!settings.isLazy()) { // otherwise entities and beans may follow later
            settings.refuseUnknownUnits(all);
            refuseMisspelt(known);
        }
        for (String name : settings.sources()) {
            if (!known.contains(name)) {
                binder.bind(name, Map.of());
            }
        }
        binder.start();
        all.forEach((prefix, sources) -> sources.names().forEach(name -> log(prefix, sources, name)));
    }

    /**
     * Refuses names that neither an entity nor a bean uses. Code may look up names later if a bean can receive sources;
     * then only names that resemble a known one are refused.
     */
    private void refuseMisspelt(Set<String> known) {
        for (String name : settings.sources()) {
            boolean isUsed = known.contains(name)
                    || settings.origin(name).isEmpty()
                    || all.isInjected(name)
                    || beans.getBeanProvider(BindsLater.class).stream().anyMatch(other -> other.mayBind(name));
            if (!isUsed && (SourceBinder.isMisspelt(name, known) || !mayBeLookedUp())) {
                SourceBinder.refuseUnknown(name, settings.origin(name), known);
            }
        }
    }

    /** Returns whether names may be those of sources without an entity, which the application looks up. */
    private boolean mayBeLookedUp() {
        return all.units().isEmpty()
                || Stream.of(beans.getBeanDefinitionNames())
                        .map(name -> beans.getType(name, false))
                        .anyMatch(type -> type != null && UsesSources.in(type));
    }

    private static void log(String prefix, IdSources sources, String name) {
        StringBuilder line = new StringBuilder("source '" + prefix + name + "': " + sources.strategy(name));
        for (SourceTable table : sources.plan(name).tables()) {
            line.append(", table ").append(table.name());
        }
        if (sources.snapshot(name) instanceof SnowflakeSnapshot state && state.workerId() != null) {
            line.append(", worker id ").append(state.workerId());
        }
        LOG.log(System.Logger.Level.INFO, line);
    }
}
