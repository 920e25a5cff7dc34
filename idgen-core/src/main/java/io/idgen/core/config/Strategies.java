package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
                    "strategy", "How ids are generated: the name of a strategy.", String::strip)
            .withDefault("snowflake");

    private final Map<String, IdStrategy> byName = new ConcurrentHashMap<>();
    private boolean hasServices;

    /**
     * Creates the strategies that are known without a search of the class path.
     *
     * @param host for worker ids
     * @param own the application's, which hide others of the same name
     */
    Strategies(Host host, List<IdStrategy> own) {
        byName.put(SnowflakeStrategy.NAME, new SnowflakeStrategy(host, Extensions.services(LeaseStoreProvider.class)));
        for (IdStrategy strategy : own) {
            byName.put(strategy.name(), strategy);
        }
    }

    /**
     * Adds the strategies on the class path; the application's hide those of the same name. Called only if something is
     * not known without them, because it loads the classes of all strategies, which delays the first id.
     */
    void lookUpServices() {
        if (hasServices) {
            return;
        }
        hasServices = true;
        Map<String, IdStrategy> services = new LinkedHashMap<>();
        for (IdStrategy service : Extensions.services(IdStrategy.class)) {
            if (service.name().equals(SnowflakeStrategy.NAME)) {
                throw new ConfigurationException(
                        ErrorCode.UNKNOWN_STRATEGY,
                        "the class path has a strategy with the name of a built-in one, '" + service.name() + "': "
                                + service.getClass().getName() + "; change its name, or pass it to"
                                + " IdSources.builder().strategy(…), which replaces the built-in one");
            }
            services.put(service.name(), service);
        }
        services.forEach(byName::putIfAbsent);
    }

    /** All settings that a source can have, each once: strategies of one module share some. */
    List<Setting<?>> settings() {
        Set<Setting<?>> settings = new LinkedHashSet<>(List.of(STRATEGY, SourceRegistry.EAGER));
        for (IdStrategy strategy : byName.values()) {
            settings.addAll(strategy.settings());
        }
        return new ArrayList<>(settings);
    }

    /** Returns the names of the strategies that read a setting, for a message. */
    String thatRead(Setting<?> setting) {
        lookUpServices();
        return byName.values().stream()
                .filter(strategy -> strategy.settings().contains(setting))
                .map(IdStrategy::name)
                .sorted()
                .collect(Collectors.joining(" or "));
    }

    /** Refuses types of objects that no strategy looks up: the object would have no effect. */
    void checkResources(Set<Class<?>> given) {
        if (!resources().containsAll(given)) {
            lookUpServices();
        }
        Set<Class<?>> known = resources();
        for (Class<?> type : given) {
            if (!known.contains(type)) {
                throw new ConfigurationException(ErrorCode.UNKNOWN_RESOURCE, unknownResource(type, known));
            }
        }
    }

    private Set<Class<?>> resources() {
        Set<Class<?>> resources = new LinkedHashSet<>();
        for (IdStrategy strategy : byName.values()) {
            resources.addAll(strategy.resources());
        }
        return resources;
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
        if (!byName.containsKey(chosen)) {
            lookUpServices();
        }
        IdStrategy strategy = byName.get(chosen);
        if (strategy == null) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_STRATEGY,
                    context.withOrigin(
                            STRATEGY,
                            "no strategy is called '" + chosen + "'; known are "
                                    + String.join(
                                            ", ",
                                            byName.keySet().stream().sorted().toList())
                                    + "; table-backed ones come with idgen-jdbc, those of Redis with idgen-redis;"
                                    + " for your own, pass an object to IdSources.builder().strategy(…), or register"
                                    + " its class in META-INF/services/" + IdStrategy.class.getName()));
        }
        return strategy;
    }
}
