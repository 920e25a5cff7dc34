package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The strategies that settings can choose, by name: idgen's own, those on the class path, the application's. */
final class Strategies {
    static final Setting<String> STRATEGY = Setting.<String>of(
                    "strategy",
                    "How ids are generated: the name of a strategy, or of a class that implements IdStrategy.",
                    String::strip)
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

    /** Returns the names of the strategies that read a setting, for a message. */
    String thatRead(Setting<?> setting) {
        return byName.values().stream()
                .filter(strategy -> strategy.settings().contains(setting))
                .map(IdStrategy::name)
                .sorted()
                .collect(Collectors.joining(" or "));
    }

    /** Refuses types of objects that no strategy looks up: the object would have no effect. */
    void checkResources(Set<Class<?>> given) {
        Set<Class<?>> known = new LinkedHashSet<>();
        byName.values().forEach(strategy -> known.addAll(strategy.resources()));
        for (Class<?> type : given) {
            if (!known.contains(type)) {
                throw new ConfigurationException(ErrorCode.UNKNOWN_RESOURCE, unknownResource(type, known));
            }
        }
    }

    private static String unknownResource(Class<?> type, Set<Class<?>> known) {
        List<String> meant = names(known.stream().filter(each -> each.isAssignableFrom(type)));
        return "no strategy reads a resource of type " + type.getName() + "; "
                + (meant.isEmpty()
                        ? "known are " + String.join(", ", names(known.stream()))
                        : "pass it as " + String.join(" or ", meant))
                + "; table-backed strategies, which read javax.sql.DataSource, come with idgen-jdbc";
    }

    private static List<String> names(Stream<Class<?>> types) {
        return types.map(Class::getName)
                .filter(name -> !name.contains(".internal."))
                .sorted()
                .toList();
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
                                    + "; table-backed ones come with idgen-jdbc, those of Redis with idgen-redis"));
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
