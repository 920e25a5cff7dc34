package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.time.AsyncLog;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The strategies that settings can choose, by name: idgen's own, those on the class path, the application's.
 *
 * <p>The first id of a JVM waits for each class and each lambda expression on its way. The search of the class path,
 * for strategies and lease stores, would delay it by half, so it takes place only if a setting, a resource or a name is
 * not one of {@code snowflake}. The generated methods of a record cost as much when they are first called. One thread
 * at a time uses it, under the lock of {@link IdSources}.
 */
final class Strategies {
    static final Setting<String> STRATEGY = Setting.of(
                    "strategy", "How ids are generated: the name of a strategy.", Setting.TEXT)
            .withDefault("snowflake");

    static final Setting<Startup> STARTUP = Setting.<Startup>of(
                    "startup",
                    "When sources connect and fetch their first ids: lazy (with the first id) or eager (at start). With the"
                            + " Spring Boot starter, eager is the default on a database server.",
                    Setting.oneOf(Startup.class))
            .withDefault("lazy");

    private static final List<String> MODULES = List.of("jdbc", "redis", "zookeeper");

    /** When a source opens. */
    enum Startup {
        LAZY,
        EAGER
    }

    private final Map<String, IdStrategy> byName = new TreeMap<>();
    private final WorkerIds workerIds;
    private boolean hasServices;

    /**
     * Creates the strategies that are known without a search of the class path.
     *
     * @param host for worker ids
     * @param own the application's, which hide others of the same name
     */
    Strategies(Host host, List<IdStrategy> own) {
        workerIds = new WorkerIds(host, this);
        byName.put(SnowflakeStrategy.NAME, new SnowflakeStrategy(workerIds));
        for (IdStrategy strategy : own) {
            byName.put(strategy.name(), strategy);
        }
    }

    /** Adds the strategies and the lease stores on the class path, at the first call. A name that is known stays. */
    void lookUpServices() {
        if (hasServices) {
            return;
        }
        hasServices = true;
        workerIds.add(services(LeaseStoreProvider.class));
        for (IdStrategy service : services(IdStrategy.class)) {
            byName.putIfAbsent(service.name(), service);
        }
    }

    /** All settings that a source can have, each once: strategies of one module share some. */
    List<Setting<?>> settings() {
        Set<Setting<?>> settings = new LinkedHashSet<>(List.of(STRATEGY, STARTUP));
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
                .collect(Collectors.joining(" or "));
    }

    /**
     * Handles settings of this source alone that its strategy does not read. A limit is a promise that the strategy
     * does not keep, so it is refused. Others cause a warning, because one file may serve several strategies.
     */
    void checkUnread(SourceContext context) {
        for (Setting<?> setting : settings()) {
            if (context.isSetAlone(setting) && !context.strategy.settings().contains(setting)) {
                ConfigurationException unread = context.refusal(
                        setting,
                        "source '" + context.name() + "' has strategy " + context.strategy.name()
                                + ", which does not read this setting; remove it, or set " + Setting.SOURCES
                                + context.name() + ".strategy to " + thatRead(setting));
                if (setting.equals(IdStrategy.LIMIT)) {
                    throw unread;
                }
                AsyncLog.of(Strategies.class)
                        .log(System.Logger.Level.WARNING, "{0}", String.valueOf(unread.getMessage()));
            }
        }
    }

    /** Refuses types of objects that no strategy looks up: the object would have no effect. */
    void checkResources(Set<Class<?>> given) {
        if (resources().containsAll(given)) {
            return;
        }
        lookUpServices();
        Set<Class<?>> known = resources();
        for (Class<?> type : given) {
            if (!known.contains(type)) {
                String meant = names(known, each -> each.isAssignableFrom(type));
                throw new ConfigurationException(
                        ErrorCode.UNKNOWN_RESOURCE,
                        "no strategy reads a resource of type " + type.getName() + "; "
                                + (meant.isEmpty() ? "known are " + names(known, each -> true) : "pass it as " + meant)
                                + "; table-backed strategies, which read javax.sql.DataSource, come with idgen-jdbc");
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

    private static String names(Set<Class<?>> types, Predicate<Class<?>> chosen) {
        return types.stream()
                .filter(chosen)
                .map(Class::getName)
                .filter(name -> !name.contains(".internal."))
                .sorted()
                .collect(Collectors.joining(", "));
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
                            "no strategy is called '" + chosen + "'; known are " + String.join(", ", byName.keySet())
                                    + "; table-backed ones come with idgen-jdbc; for your own, pass an object to"
                                    + " IdSources.builder().strategy(…), or register its class in META-INF/services/"
                                    + IdStrategy.class.getName()));
        }
        return strategy;
    }

    /** Returns the services of a type. Those of this class's own loader are the last. */
    private static <T> List<T> services(Class<T> kind) {
        List<T> found = new ArrayList<>();
        for (ClassLoader loader : loaders()) {
            ServiceLoader.load(kind, loader).forEach(found::add);
        }
        return found;
    }

    private static List<ClassLoader> loaders() {
        ClassLoader own = IdSources.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null || context.equals(own) ? List.of(own) : List.of(context, own);
    }

    /** Returns which module to add for a lease store, or for a key of its settings; null if all modules are there. */
    @Nullable
    String missingModule(String nameOrKey) {
        for (String name : MODULES) {
            boolean isIt = nameOrKey.equals(name) || nameOrKey.contains("." + name + ".");
            if (isIt && settings().stream().noneMatch(setting -> setting.key().startsWith(name + "."))) {
                return name + " comes with the module idgen-" + name
                        + ", which is not on the class path; add the dependency io.idgen:idgen-" + name;
            }
        }
        return null;
    }
}
