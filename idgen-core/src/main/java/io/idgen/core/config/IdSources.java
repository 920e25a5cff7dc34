package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.internal.task.CloseWait;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.core.snowflake.Snowflake;
import java.io.IOException;
import java.io.Reader;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sources of an application, opened by name from settings: the one place where a strategy is chosen.
 *
 * <pre>{@code
 * try (IdSources sources = IdSources.builder().file(Path.of("idgen.properties")).source("orders").build()) {
 *     IdSource orders = sources.get("orders");
 *     long id = orders.nextId();
 * }
 * }</pre>
 *
 * <p>A setting is looked up in code ({@link Builder#set}), system properties, the environment and files, in this order; one
 * for a source ({@code idgen.sources.orders.strategy}) comes before the one for all ({@code idgen.strategy}). Everything is
 * checked when this is built, without I/O; a source is opened when it is first got. Safe for many threads.
 */
public final class IdSources implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(IdSources.class.getName());

    static final Setting<String> STRATEGY = Setting.<String>of(
                    "strategy", "How ids are made: the name of a strategy, or of a class that is one.", String::strip)
            .withDefault("snowflake");

    static final Setting<Boolean> EAGER = Setting.of(
                    "startup",
                    "When sources fetch what they need from outside: lazy (with the first id) or eager (at start).",
                    IdSources::isEager)
            .withDefault("lazy");

    private static final int MOST_NAMES = 10_000;

    private final Settings settings;
    private final Map<String, IdStrategy> strategies;
    private final Map<Class<?>, Object> resources;
    private final InstantSource clock;
    private final CloseWait closeWait;
    private final Map<String, String> originOfNames; // those that settings speak of
    private final Set<String> bound = ConcurrentHashMap.newKeySet();

    // Guards all below; held while a source opens, so that none opens twice. Reading an open source does not take it.
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final Map<Object, AutoCloseable> shared = new HashMap<>();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private boolean closed;

    private IdSources(Builder builder) {
        this.settings = builder.settings();
        this.strategies = builder.allStrategies(settings.values(STRATEGY));
        this.resources = Map.copyOf(builder.resources);
        this.clock = builder.clock;
        this.closeWait = builder.closeWait;
        this.originOfNames = settings.check(known(strategies.values()));
        originOfNames.keySet().forEach(name -> makeKnown(name, Map.of()));
        builder.names.forEach(name -> bind(name, Map.of()));
        if (builder.startLater) {
            return;
        }
        try {
            entries.keySet().forEach(this::startIfEager);
        } catch (RuntimeException e) {
            close(); // what others have taken, leases among it
            throw e;
        }
    }

    /**
     * Starts the bound sources that {@code idgen.startup} has start at once: opens them, and waits for what they need. For
     * integrations that {@linkplain Builder#startLater() said so}, once everything is bound.
     *
     * @throws IdGenerationException if one cannot start; those that have started are open until this is closed
     */
    public void start() {
        bound.forEach(this::startIfEager);
    }

    private void startIfEager(String name) {
        if (entry(name).eager) {
            get(name).warmUp();
        }
    }

    private static Boolean isEager(String text) {
        return switch (text.strip()) {
            case "lazy" -> false;
            case "eager" -> true;
            default -> throw new IllegalArgumentException("lazy or eager is expected, got '" + text + "'");
        };
    }

    /** A known name, and its source once it is open. */
    private static final class Entry {
        final String strategy;
        final SourcePlan plan;
        final boolean eager;
        volatile @Nullable IdSource source;

        Entry(String strategy, SourcePlan plan, boolean eager) {
            this.strategy = strategy;
            this.plan = plan;
            this.eager = eager;
        }
    }

    /**
     * Starts the description of an application's sources.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * All settings that idgen and the strategies on the class path know, for tools and documentation.
     *
     * @return sorted by name
     */
    public static List<Setting<?>> settings() {
        List<Setting<?>> settings = known(builder().allStrategies(Set.of()).values());
        settings.sort(Comparator.comparing(Setting::toString));
        return settings;
    }

    private static List<Setting<?>> known(Collection<IdStrategy> strategies) {
        List<Setting<?>> known = new ArrayList<>(List.of(STRATEGY, EAGER));
        strategies.forEach(strategy -> known.addAll(strategy.settings()));
        return new ArrayList<>(new LinkedHashSet<>(known)); // strategies of one module share some
    }

    /**
     * Makes a name known that was not known at the start, with what the caller knows of it by itself, for integrations that
     * read names from elsewhere, as an ORM does from mappings. What is said last holds, until the source is open.
     *
     * @param name the source's name
     * @param known settings of this source without their prefix, for example {@code adopt}; weaker than all others
     * @throws ConfigurationException if the settings for this name cannot be right
     */
    public void bind(String name, Map<String, String> known) {
        makeKnown(name, known);
        bound.add(name);
    }

    /**
     * Refuses settings for names that nobody has bound: typing errors, once everything is bound that will be.
     *
     * @param origin the place whose settings are looked at, as {@link Builder#settings} was told; those of another place may be
     *     for another {@code IdSources} of this process
     * @throws ConfigurationException if there are such settings
     */
    public void refuseUnbound(String origin) {
        for (Map.Entry<String, String> name : originOfNames.entrySet()) {
            if (name.getValue().equals(origin) && !bound.contains(name.getKey())) {
                throw new ConfigurationException(
                        ErrorCode.UNKNOWN_SOURCE,
                        "settings speak of a source '" + name.getKey() + "', and there is none; "
                                + (bound.isEmpty()
                                        ? "none is known"
                                        : "the nearest known are " + Settings.nearest(name.getKey(), bound))
                                + " (from " + origin + ")");
            }
        }
    }

    private void makeKnown(String name, Map<String, String> known) {
        lock.lock();
        try {
            try {
                SegmentAllocator.checkName(name);
            } catch (IllegalArgumentException e) {
                throw new ConfigurationException(ErrorCode.INVALID_NAME, "no source: " + e.getMessage(), e);
            }
            if (entries.size() >= MOST_NAMES && !entries.containsKey(name)) {
                throw new ConfigurationException(
                        ErrorCode.INVALID_NAME,
                        "there are " + MOST_NAMES + " sources already, and '" + name
                                + "' is one more; a source is a kind of ids, of which there are few: are names made from"
                                + " data?");
            }
            Entry old = entries.get(name);
            if (old != null && (old.source != null || known.isEmpty())) {
                return;
            }
            Map<String, String> keys = new LinkedHashMap<>();
            known.forEach((key, text) -> keys.put(Setting.SOURCES + name + "." + key, text));
            SourceContext context = new SourceContext(
                    name, settings.withFallback(Settings.map(keys, key -> "what is known of '" + name + "'")), this);
            IdStrategy strategy = strategy(context);
            entries.put(name, new Entry(strategy.name(), strategy.plan(context), context.get(EAGER)));
        } finally {
            lock.unlock();
        }
    }

    /**
     * The source of a name; opened by the first call, the same object ever after. It belongs to this object, which closes it.
     *
     * @param name a name given to the builder, bound, or with settings of its own
     * @return the source
     * @throws ConfigurationException if the name is not known, or the source cannot be opened
     * @throws IdGenerationException if this object is closed
     */
    public IdSource get(String name) {
        IdSource source = entry(name).source;
        return source != null ? source : open(name);
    }

    /**
     * What is known of a source without opening it, for example the largest id that it can give.
     *
     * @param name a name given to the builder, bound, or with settings of its own
     * @return the plan by which {@link #get} opens it
     * @throws ConfigurationException if the name is not known
     */
    public SourcePlan plan(String name) {
        return entry(name).plan;
    }

    /**
     * The strategy that was chosen for a source.
     *
     * @param name a name given to the builder, bound, or with settings of its own
     * @return the strategy's name
     * @throws ConfigurationException if the name is not known
     */
    public String strategy(String name) {
        return entry(name).strategy;
    }

    /**
     * What the open sources have and wait for at this moment, for meters and health checks. Opens no source, takes no lock and does
     * no I/O. Names whose settings are equal may share one generator: they have equal snapshots.
     *
     * @return by name, sorted; without sources that are not open yet and those that have no snapshot
     */
    public Map<String, SourceSnapshot> snapshots() {
        Map<String, SourceSnapshot> snapshots = new TreeMap<>();
        entries.forEach((name, entry) -> {
            IdSource source = entry.source;
            SourceSnapshot snapshot = source == null ? null : source.snapshot();
            if (snapshot != null) {
                snapshots.put(name, snapshot);
            }
        });
        return snapshots;
    }

    /**
     * Closes all sources, then what they shared, the latest first. Calls for ids that come later are refused. All sources hand
     * unused ids and worker ids back at the same time; this waits for them at most a second. Closing twice is harmless.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            CompletableFuture<?>[] handingBack = opened.stream()
                    .map(IdSources::closeAsync)
                    .flatMap(Optional::stream)
                    .toArray(CompletableFuture[]::new);
            if (handingBack.length > 0) {
                closeWait.await(CompletableFuture.allOf(handingBack), CloseWait.LONGEST);
            }
            opened.removeIf(each -> each instanceof SegmentIdSource || each instanceof Snowflake);
            RuntimeException failure = null;
            while (!opened.isEmpty()) {
                try {
                    opened.pop().close();
                } catch (Exception e) {
                    if (failure == null) {
                        failure = new IdGenerationException(ErrorCode.SOURCE_CLOSED, "closing a source failed", e);
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
            if (failure != null) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes a source of idgen's own without waiting; empty if it is something else. */
    private static Optional<CompletableFuture<?>> closeAsync(AutoCloseable opened) {
        if (opened instanceof SegmentIdSource segments) {
            return Optional.of(segments.closeAsync());
        }
        return opened instanceof Snowflake snowflake ? Optional.of(snowflake.closeAsync()) : Optional.empty();
    }

    <T> Optional<T> resource(Class<T> type) {
        return Optional.ofNullable(resources.get(type)).map(type::cast);
    }

    InstantSource clock() {
        return clock;
    }

    /** Called while a source opens, under the lock. */
    @SuppressWarnings("unchecked") // a key is used for one type only: it is a strategy's own
    <T extends AutoCloseable> T shared(Object key, Supplier<T> maker) {
        T existing = (T) shared.get(key);
        if (existing != null) {
            return existing;
        }
        T made = maker.get();
        shared.put(key, made);
        opened.push(made);
        return made;
    }

    private Entry entry(String name) {
        Entry entry = entries.get(name);
        if (entry == null) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    "no source is called '" + name + "'; "
                            + (entries.isEmpty()
                                    ? "none is known"
                                    : "the nearest known are " + Settings.nearest(name, entries.keySet()))
                            + "; name it when building IdSources, or give it a setting " + Setting.SOURCES + name
                            + ".…");
        }
        return entry;
    }

    private IdSource open(String name) {
        lock.lock();
        try {
            if (closed) {
                throw new IdGenerationException(
                        ErrorCode.SOURCE_CLOSED, "the sources are closed, '" + name + "' among them");
            }
            Entry entry = entry(name); // under the lock, for it may have been bound anew
            IdSource source = entry.source;
            if (source == null) {
                source = entry.plan.opener().get();
                if (!opened.contains(source)) {
                    opened.push(source);
                }
                entry.source = source;
                LOG.log(System.Logger.Level.INFO, "source ''{0}'': {1}", name, entry.strategy);
            }
            return source;
        } finally {
            lock.unlock();
        }
    }

    private IdStrategy strategy(SourceContext context) {
        String chosen = context.get(STRATEGY);
        IdStrategy strategy = strategies.get(chosen);
        if (strategy == null && chosen.contains(".")) {
            strategy = strategyOfClass(chosen); // named in the environment, which cannot be listed beforehand
            strategies.put(chosen, strategy);
        }
        if (strategy == null) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_STRATEGY,
                    context.withOrigin(
                            STRATEGY,
                            "no strategy is called '" + chosen + "'; known are "
                                    + String.join(
                                            ", ",
                                            strategies.keySet().stream()
                                                    .sorted()
                                                    .toList())
                                    + "; table-backed ones come with idgen-jdbc"));
        }
        return strategy;
    }

    private static IdStrategy strategyOfClass(String className) {
        for (ClassLoader loader : loaders()) {
            try {
                return Class.forName(className, true, loader)
                        .asSubclass(IdStrategy.class)
                        .getDeclaredConstructor()
                        .newInstance();
            } catch (ClassNotFoundException e) {
                LOG.log(System.Logger.Level.DEBUG, "not known to this class loader, perhaps to the next", e);
            } catch (InvocationTargetException e) {
                throw new ConfigurationException(
                        ErrorCode.UNKNOWN_STRATEGY, STRATEGY + ": the constructor of " + className + " failed", e);
            } catch (ReflectiveOperationException | ClassCastException e) {
                throw new ConfigurationException(
                        ErrorCode.UNKNOWN_STRATEGY,
                        STRATEGY + ": class " + className
                                + " is not an IdStrategy with a public constructor without arguments",
                        e);
            }
        }
        throw new ConfigurationException(
                ErrorCode.UNKNOWN_STRATEGY, STRATEGY + ": no class " + className + " is on the class path");
    }

    private static List<ClassLoader> loaders() {
        ClassLoader own = IdSources.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null || context.equals(own) ? List.of(own) : List.of(context, own);
    }

    /** What an {@link IdSources} is made of. Not for several threads. */
    public static final class Builder {
        private final Map<String, String> code = new LinkedHashMap<>();
        private final List<Settings.Level> files = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private final Map<Class<?>, Object> resources = new HashMap<>();
        private final List<IdStrategy> strategies = new ArrayList<>();
        private InstantSource clock = Clock.systemUTC();
        private CloseWait closeWait = CloseWait.SYSTEM;
        private Properties systemProperties = System.getProperties();
        private Map<String, String> environment = System.getenv();
        private Host host = Host.LOCAL;
        private boolean startLater;

        private Builder() {}

        /**
         * Sets a setting, before any other place it might be set in.
         *
         * @param key its full name, for example {@code idgen.strategy}
         * @param text its value
         * @return this
         */
        public Builder set(String key, String text) {
            code.put(Objects.requireNonNull(key), Objects.requireNonNull(text));
            return this;
        }

        /**
         * Reads settings from a file of properties in UTF-8; weaker than system properties and the environment. Of several
         * files, and of maps given to {@link #settings}, the first that says something counts.
         *
         * @param file the file; settings that do not begin with {@code idgen.} are another library's
         * @return this
         * @throws ConfigurationException if it cannot be read
         */
        public Builder file(Path file) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new ConfigurationException(
                        ErrorCode.INVALID_SETTING, "cannot read settings from " + file + ": " + e, e);
            }
            return settings(strings(properties), file.toString());
        }

        /**
         * Takes settings from a map, as weak as a file.
         *
         * @param settings by full name; those that do not begin with {@code idgen.} are another library's
         * @param origin what errors call the place they come from
         * @return this
         */
        public Builder settings(Map<String, String> settings, String origin) {
            files.add(Settings.map(settings, key -> origin));
            return this;
        }

        /**
         * Makes a name known.
         *
         * @param name the source's name
         * @return this
         */
        public Builder source(String name) {
            names.add(Objects.requireNonNull(name));
            return this;
        }

        /**
         * Hands in something that strategies may need.
         *
         * @param type what they ask for it by, for example {@code javax.sql.DataSource.class}
         * @param resource the object; not closed by idgen
         * @param <T> its type
         * @return this
         */
        public <T> Builder resource(Class<T> type, T resource) {
            resources.put(Objects.requireNonNull(type), Objects.requireNonNull(resource));
            return this;
        }

        /**
         * Adds a strategy of the application's own; it hides one of the same name.
         *
         * @param strategy the strategy
         * @return this
         */
        public Builder strategy(IdStrategy strategy) {
            strategies.add(Objects.requireNonNull(strategy));
            return this;
        }

        /**
         * Where the time comes from; the system's clock if not said.
         *
         * @param newClock read by many threads at once
         * @return this
         */
        public Builder clock(InstantSource newClock) {
            this.clock = Objects.requireNonNull(newClock);
            return this;
        }

        /**
         * Leaves the start of sources to {@link IdSources#start()}, whatever {@code idgen.startup} says; for integrations that
         * bind names before.
         *
         * @return this
         */
        public Builder startLater() {
            startLater = true;
            return this;
        }

        Builder closeWait(CloseWait newCloseWait) {
            this.closeWait = newCloseWait;
            return this;
        }

        Builder environment(Properties newSystemProperties, Map<String, String> newEnvironment) {
            this.systemProperties = newSystemProperties;
            this.environment = newEnvironment;
            return this;
        }

        Builder host(Host newHost) {
            this.host = newHost;
            return this;
        }

        /**
         * Checks all settings and makes the object. Does no I/O and opens no source, unless {@code idgen.startup} is {@code
         * eager}: then the sources that are known are opened, and wait for what they need.
         *
         * @return the sources, to be closed with the application
         * @throws ConfigurationException if a setting or a strategy is unknown, or a value cannot be right
         * @throws IdGenerationException if a source is to start at once and cannot
         */
        public IdSources build() {
            return new IdSources(this);
        }

        private Settings settings() {
            List<Settings.Level> levels = new ArrayList<>();
            levels.add(Settings.map(code, key -> "code"));
            levels.add(Settings.map(strings(systemProperties), key -> "system property " + key));
            levels.add(Settings.environment(environment));
            levels.addAll(files);
            return new Settings(levels);
        }

        private Map<String, IdStrategy> allStrategies(Set<String> chosen) {
            Map<String, IdStrategy> all = new HashMap<>();
            add(all, new SnowflakeStrategy(host, services(WorkerIdAssigner.class)));
            services(IdStrategy.class).forEach(strategy -> add(all, strategy));
            strategies.forEach(strategy -> add(all, strategy));
            chosen.stream()
                    .filter(name -> name.contains(".") && !all.containsKey(name))
                    .forEach(className -> all.put(className, strategyOfClass(className)));
            return all;
        }

        /** What the class path brings of a kind; of two of one name the last counts, which is this class's own loader's. */
        private static <T> List<T> services(Class<T> kind) {
            List<T> found = new ArrayList<>();
            for (ClassLoader loader : loaders()) {
                try {
                    ServiceLoader.load(kind, loader).forEach(found::add);
                } catch (ServiceConfigurationError e) {
                    throw new ConfigurationException(
                            ErrorCode.UNKNOWN_STRATEGY,
                            "a service on the class path cannot be loaded: " + e.getMessage(),
                            e);
                }
            }
            return found;
        }

        private static void add(Map<String, IdStrategy> all, IdStrategy strategy) {
            all.put(strategy.name(), strategy);
        }

        private static Map<String, String> strings(Properties properties) {
            Map<String, String> strings = new LinkedHashMap<>();
            properties.stringPropertyNames().stream()
                    .sorted()
                    .forEach(key -> strings.put(key, properties.getProperty(key)));
            return strings;
        }
    }
}
