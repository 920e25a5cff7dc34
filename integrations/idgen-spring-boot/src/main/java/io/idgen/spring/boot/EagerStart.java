package io.idgen.spring.boot;

import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import io.idgen.core.config.SourceTable;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Opens the sources with {@code idgen.startup=eager} when all beans of the application exist. A wrong password or a
 * missing table then fails the deployment, not the first insert. Refuses settings for a misspelt entity or unit, and
 * logs a line for each source.
 *
 * @param binder the sources of the application
 * @param all those of the units as well
 * @param settings those that name sources
 */
record EagerStart(SourceBinder binder, UnitSources all, IdgenSettings settings) implements SmartInitializingSingleton {
    private static final System.Logger LOG = System.getLogger(EagerStart.class.getName());

    @Override
    public void afterSingletonsInstantiated() {
        all.awaitBoots();
        settings.refuseUnknownUnits(all.units());
        Set<String> known = new TreeSet<>(all.names());
        for (String name : settings.sources()) {
            if (!all.isInjected(name) && SourceBinder.isMisspelt(name, known)) {
                SourceBinder.refuseUnknown(name, settings.origin(name), known);
            }
            if (!known.contains(name)) {
                binder.bind(name, Map.of());
            }
        }
        binder.start();
        all.forEach((prefix, sources) -> sources.names().forEach(name -> log(prefix, sources, name)));
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
