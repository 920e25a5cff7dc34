package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The strategies that settings can choose, by name: idgen's own, those on the class path, the application's. */
final class Strategies {
    static final Setting<String> STRATEGY = Setting.<String>of(
                    "strategy", "How ids are made: the name of a strategy, or of a class that is one.", String::strip)
            .withDefault("snowflake");

    private final Map<String, IdStrategy> byName = new ConcurrentHashMap<>();

    /**
     * Finds the strategies.
     *
     * @param host for worker ids
     * @param own the application's, which hide others of the same name
     * @param chosen the values of {@link #STRATEGY}; a value with a dot is the name of a class
     */
    Strategies(Host host, List<IdStrategy> own, Set<String> chosen) {
        add(new SnowflakeStrategy(host, Extensions.services(LeaseStoreProvider.class)));
        Extensions.services(IdStrategy.class).forEach(this::add);
        own.forEach(this::add);
        chosen.stream()
                .filter(name -> name.contains(".") && !byName.containsKey(name))
                .forEach(className -> byName.put(className, strategyOfClass(className)));
    }

    private void add(IdStrategy strategy) {
        byName.put(strategy.name(), strategy);
    }

    /** All settings that a source can have, each once: strategies of one module share some. */
    List<Setting<?>> settings() {
        Set<Setting<?>> settings = new LinkedHashSet<>(List.of(STRATEGY, SourceRegistry.EAGER));
        byName.values().forEach(strategy -> settings.addAll(strategy.settings()));
        return new ArrayList<>(settings);
    }

    /** The strategy that the settings of a source choose. */
    IdStrategy chosen(SourceContext context) {
        String chosen = context.get(STRATEGY);
        IdStrategy strategy = byName.get(chosen);
        if (strategy == null && chosen.contains(".")) {
            strategy = strategyOfClass(chosen); // named in the environment, which cannot be listed beforehand
            byName.put(chosen, strategy);
        }
        if (strategy == null) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_STRATEGY,
                    context.withOrigin(
                            STRATEGY,
                            "no strategy is called '" + chosen + "'; known are "
                                    + String.join(
                                            ", ",
                                            byName.keySet().stream().sorted().toList())
                                    + "; table-backed ones come with idgen-jdbc"));
        }
        return strategy;
    }

    private static IdStrategy strategyOfClass(String className) {
        try {
            return Extensions.ofClass(className, IdStrategy.class);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(ErrorCode.UNKNOWN_STRATEGY, STRATEGY + ": " + e.getMessage(), e);
        }
    }
}
