package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.CloseWait;
import io.idgen.core.segment.SegmentAllocator;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sources of an application, by name. Settings choose the strategy of each source.
 *
 * <pre>{@code
 * try (IdSources sources = IdSources.builder().file(Path.of("idgen.properties")).source("orders").build()) {
 *     IdSource orders = sources.get("orders");
 *     long id = orders.nextId();
 * }
 * }</pre>
 *
 * <p>A setting is looked up in code ({@link Builder#set}), system properties, the environment and files, in this
 * order. A setting for one source ({@code idgen.sources.orders.strategy}) comes before the one for all ({@code
 * idgen.strategy}). {@link Builder#build} checks everything without I/O; the first {@link #get} opens a source. A
 * framework that learns the names of sources later uses {@link SourceBinder}. Safe for many threads.
 *
 * <p>The file is long because it contains the builder: half of it is the description of both.
 */
public final class IdSources implements AutoCloseable {
    private static final AsyncLog LOG = AsyncLog.of(IdSources.class);

    final Settings settings;
    final Strategies strategies;
    final Map<Class<?>, Object> resources;
    final InstantSource clock;
    final Map<String, String> originOfNames; // those that have settings
    final Map<String, String> sourceByEntity = new ConcurrentHashMap<>();

    // Guards all below. Held while a source opens, so that it opens only once. Reading an open source does not need it.
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, SourceContext> contexts = new ConcurrentHashMap<>();
    private final Opened opened = new Opened();
    private boolean closed;

    /** Checks all settings. Sources that have settings of their own are planned when they are needed. */
    private IdSources(Builder builder) {
        settings = builder.settings();
        strategies = new Strategies(builder.host, builder.strategies);
        resources = Map.copyOf(builder.resources);
        clock = builder.clock;
        strategies.checkResources(resources.keySet());
        originOfNames = settings.check(strategies);
    }

    /**
     * Starts to build the sources of an application.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns all settings of idgen and of the strategies on the class path, for tools and documentation.
     *
     * @return sorted by name
     */
    public static List<Setting<?>> settings() {
        Strategies strategies = new Strategies(Host.LOCAL, List.of());
        strategies.lookUpServices();
        List<Setting<?>> settings = strategies.settings();
        settings.sort(Comparator.comparing(Setting::toString));
        return settings;
    }

    /**
     * Returns the source of a name. The first call opens it; later calls return the same object. This object closes it.
     *
     * @param name a name given to the builder, bound, or with settings of its own
     * @return the source
     * @throws ConfigurationException if the name is not known, or the source cannot be opened
     * @throws IdGenerationException if this object is closed
     */
    public IdSource get(String name) {
        IdSource source = context(name).source;
        return source != null ? source : open(name);
    }

    private IdSource open(String name) {
        lock.lock();
        try {
            if (closed) {
                throw new IdGenerationException(
                        ErrorCode.SOURCE_CLOSED, "the sources are closed, '" + name + "' among them");
            }
            SourceContext context = context(name); // read under the lock, since the name may have been bound again
            IdSource source = context.source;
            if (source == null) {
                source = context.plan.opener().get();
                opened.add(source);
                context.source = source;
                LOG.log(System.Logger.Level.DEBUG, "source ''{0}'': {1}", name, context.strategy.name());
            }
            return source;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a known source, open or not. */
    SourceContext context(String name) {
        if (!contexts.containsKey(name) && originOfNames.containsKey(name)) {
            makeKnown(name, Map.of());
        }
        SourceContext context = contexts.get(name);
        if (context == null) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    "no source is called '" + name + "'; "
                            + SourceBinder.advice(name, contexts.keySet(), sourceByEntity)
                            + "; name it when building IdSources, by source(…), or give it a setting " + Setting.SOURCES
                            + name + ".…");
        }
        return context;
    }

    /** Plans a source and makes its name known; see {@link SourceBinder#bind}. */
    void makeKnown(String name, Map<String, String> known) {
        lock.lock();
        try {
            try {
                SegmentAllocator.checkName(name);
            } catch (IllegalArgumentException e) {
                throw new ConfigurationException(ErrorCode.INVALID_NAME, "no source: " + e.getMessage(), e);
            }
            SourceContext old = contexts.get(name);
            if (old != null && (old.source != null || known.isEmpty() || known.equals(old.known))) {
                return; // Hibernate binds each attribute twice
            }
            SourceContext context = new SourceContext(name, known, this);
            if (old == null && settings.hasSources()) {
                strategies.checkUnread(context);
            }
            contexts.put(name, context);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the source of a name for code that may close it: {@code close()} has no effect. The first id opens it.
     *
     * @param name a name given to the builder, bound, or with settings of its own
     * @return the source
     * @throws ConfigurationException if the name is not known
     */
    public IdSource lend(String name) {
        context(name);
        return new LentSource(() -> get(name));
    }

    /**
     * Returns the plan of a source without opening it, for example to read the largest id that it can generate.
     *
     * @param name a name given to the builder, bound, or with settings of its own
     * @return the plan by which {@link #get} opens it
     * @throws ConfigurationException if the name is not known
     */
    public SourcePlan plan(String name) {
        return context(name).plan;
    }

    /**
     * Returns the strategy of a source.
     *
     * @param name a name given to the builder, bound, or with settings of its own
     * @return the strategy's name
     * @throws ConfigurationException if the name is not known
     */
    public String strategy(String name) {
        return context(name).strategy.name();
    }

    /**
     * Returns the names of all sources, open or not.
     *
     * @return sorted; a copy, without names that are bound later
     */
    public Set<String> names() {
        return new TreeSet<>(contexts.keySet());
    }

    /**
     * Returns the present state of a source, for meters and health checks. Opens no source, takes no lock and does no
     * I/O.
     *
     * @param name the name of a source
     * @return the state; null if there is no such name, the source is not open yet, or it has no snapshot
     */
    public @Nullable SourceSnapshot snapshot(String name) {
        SourceContext context = contexts.get(name);
        IdSource source = context == null ? null : context.source;
        return source == null ? null : source.snapshot();
    }

    /**
     * Returns the present state of the open sources, for meters and health checks. Opens no source, takes no lock and
     * does no I/O. Names with equal settings may share one generator: they have equal snapshots.
     *
     * @return by name, sorted; without sources that are not open yet and those that have no snapshot
     */
    public Map<String, SourceSnapshot> snapshots() {
        Map<String, SourceSnapshot> snapshots = new TreeMap<>();
        for (String name : contexts.keySet()) {
            SourceSnapshot snapshot = snapshot(name);
            if (snapshot != null) {
                snapshots.put(name, snapshot);
            }
        }
        return snapshots;
    }

    /**
     * Closes all sources, then the objects they share, the latest first. Later calls for ids are refused. All sources
     * hand unused ids and worker ids back at the same time; this waits for them at most one second. Closing twice has
     * no effect.
     */
    @Override
    public void close() {
        close(CloseWait::await);
    }

    void close(Consumer<CompletableFuture<?>> waiting) {
        lock.lock();
        try {
            closed = true;
            opened.close(waiting);
        } finally {
            lock.unlock();
        }
    }

    /** Called while a source opens, under the lock. */
    <T extends AutoCloseable> T shared(Object key, Supplier<T> maker) {
        return opened.shared(key, maker);
    }

    /** Returns a view of the known sources. It is no copy, because each source asks for it when it opens. */
    Collection<SourceContext> contexts() {
        return Collections.unmodifiableCollection(contexts.values());
    }

    /** Builds an {@link IdSources}. Not safe for several threads. */
    public static final class Builder {
        private final Map<String, String> code = new LinkedHashMap<>();
        private final Settings files = new Settings();
        final List<String> names = new ArrayList<>();
        private final Map<Class<?>, Object> resources = new HashMap<>();
        private final List<IdStrategy> strategies = new ArrayList<>();
        private InstantSource clock = Clock.systemUTC();
        private Properties systemProperties = System.getProperties();
        private Map<String, String> environment = System.getenv();
        private Host host = Host.LOCAL;

        private Builder() {}

        /**
         * Sets a setting. It takes precedence over all other places.
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
         * Reads settings from a properties file in UTF-8. System properties and the environment take precedence. Of
         * several files and of maps given to {@link #settings}, the first one with a value counts.
         *
         * @param file the file; settings that do not begin with {@code idgen.} are ignored
         * @return this
         * @throws ConfigurationException if it cannot be read
         */
        public Builder file(Path file) {
            return settings(Settings.read(file), file.toString());
        }

        /**
         * Adds settings from a map. Code, system properties and the environment take precedence, and so do files and
         * maps that were added before.
         *
         * @param settings by full name, or by the name of an environment variable such as {@code IDGEN_WORKER_ID};
         *     others are ignored
         * @param origin the name of their origin in error messages
         * @return this
         */
        public Builder settings(Map<String, String> settings, String origin) {
            settings.forEach((key, text) -> files.add(key, text, origin));
            return this;
        }

        /**
         * Reads neither system properties nor the environment, for a framework that adds them itself.
         *
         * @return this
         */
        public Builder withoutEnvironment() {
            return environment(new Properties(), Map.of());
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
         * Passes in an object that strategies may need: a {@code javax.sql.DataSource} with idgen's tables, an {@link
         * io.idgen.core.IdgenListener}, a {@link io.idgen.core.lease.LeaseStore} to lease worker ids from, a {@link
         * WorkerIdAssigner}, or what strategies of the application {@linkplain IdStrategy#resources read}. A lease
         * store and an assigner are used where {@code idgen.worker.assigner} names no other.
         *
         * <p>If the data source is a HikariCP pool, or another pool that exposes its URL, user and password, idgen
         * opens two connections of its own with them. So no thread that holds a connection of the pool waits for a
         * second one. idgen reads user and password again for each new connection.
         *
         * @param type the type that strategies look it up by, for example {@code DataSource.class}; {@link #build}
         *     refuses a type that no strategy reads
         * @param resource the object, safe for several threads; not closed by idgen
         * @param <T> its type
         * @return this
         */
        public <T> Builder resource(Class<T> type, T resource) {
            resources.put(Objects.requireNonNull(type), Objects.requireNonNull(resource));
            return this;
        }

        /**
         * Adds a strategy of the application. It replaces one of the same name.
         *
         * @param strategy the strategy
         * @return this
         */
        public Builder strategy(IdStrategy strategy) {
            strategies.add(Objects.requireNonNull(strategy));
            return this;
        }

        /**
         * Sets the wall clock; the default is the system's clock.
         *
         * @param newClock read by many threads at the same time
         * @return this
         */
        public Builder clock(InstantSource newClock) {
            this.clock = Objects.requireNonNull(newClock);
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
         * Checks all settings and creates the object. Does no I/O and opens no source, unless {@code idgen.startup} is
         * {@code eager}: then this opens the known sources and waits for what they need.
         *
         * @return the sources; the application closes them when it ends
         * @throws ConfigurationException if a setting, a strategy or a resource is unknown, or a value is invalid
         * @throws IdGenerationException if a source starts eagerly and that fails
         */
        public IdSources build() {
            SourceBinder binder = SourceBinder.of(this);
            IdSources sources = binder.sources();
            for (String name : sources.originOfNames.keySet()) {
                binder.bind(name, Map.of());
            }
            binder.check();
            try {
                binder.start();
            } catch (RuntimeException e) {
                sources.close(); // releases what other sources have acquired, for example leases
                throw e;
            }
            return sources;
        }

        /** Returns the sources that have settings. None of them is open or planned. */
        IdSources unbound() {
            return new IdSources(this);
        }

        private Settings settings() {
            Settings settings = new Settings();
            for (Map.Entry<String, String> each : code.entrySet()) {
                settings.add(each.getKey(), each.getValue(), "code");
            }
            settings.addProcess(systemProperties, environment);
            settings.addAll(files);
            return settings;
        }
    }
}
