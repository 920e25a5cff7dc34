package io.idgen.core.config;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.CloseWait;
import io.idgen.core.segment.SegmentAllocator;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The known names of an {@link IdSources}, the plan of each, its source once it is open, and what sources share. One
 * lock guards all of them. Safe for many threads.
 */
final class SourceRegistry {
    private static final AsyncLog LOG = AsyncLog.of(IdSources.class);

    private static final int MOST_NAMES = 10_000;

    private final Settings settings;
    private final Strategies strategies;
    private final Map<Class<?>, Object> resources;
    private final InstantSource clock;
    private final CloseWait closeWait;
    private final Map<String, String> originOfNames; // those that have settings
    private final Set<String> bound = ConcurrentHashMap.newKeySet();
    final Map<String, String> sourceByEntity = new ConcurrentHashMap<>();
    private final Map<String, String> sourceByColumn = new ConcurrentHashMap<>();

    // Guards all below. Held while a source opens, so that it opens only once. Reading an open source does not need it.
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final Map<Object, AutoCloseable> shared = new HashMap<>();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private boolean closed;

    /** Checks all settings. Sources that have settings of their own are planned when they are needed. */
    SourceRegistry(
            Settings settings,
            Strategies strategies,
            Map<Class<?>, Object> resources,
            InstantSource clock,
            CloseWait closeWait) {
        this.settings = settings;
        this.strategies = strategies;
        this.resources = Map.copyOf(resources);
        this.clock = clock;
        this.closeWait = closeWait;
        if (settings.hasOthers(strategies.settings())) {
            strategies.lookUpServices();
        }
        this.originOfNames = settings.check(strategies.settings());
    }

    /** Binds all sources that have settings of their own. */
    void bindAll() {
        for (String name : originOfNames.keySet()) {
            bind(name, Map.of(), Set.of(), Set.of());
        }
    }

    /** A known name, and its source once it is open. */
    private static final class Entry {
        final Map<String, String> known;
        final SourceContext context;
        final IdStrategy strategy;
        final SourcePlan plan;
        final boolean eager;
        volatile @Nullable IdSource source;

        Entry(Map<String, String> known, SourceContext context, IdStrategy strategy) {
            this.known = Map.copyOf(known);
            this.context = context;
            this.strategy = strategy;
            this.plan = strategy.plan(context);
            this.eager = context.get(Strategies.STARTUP) == Strategies.Startup.EAGER;
        }
    }

    /** Plans a source and makes its name known; see {@link SourceBinder#bind}. */
    SourcePlan bind(String name, Map<String, String> known, Set<String> columns, Set<String> entities) {
        makeKnown(name, known);
        bound.add(name);
        for (String entity : entities) {
            sourceByEntity.put(entity, name);
        }
        for (String column : columns) {
            refuseSecondName(name, column);
        }
        return entry(name).plan;
    }

    /** Refuses two names over one column, which would have two rows; snowflakes of all names share a worker id. */
    private void refuseSecondName(String name, String column) {
        String other = sourceByColumn.putIfAbsent(column.toLowerCase(Locale.ROOT), name);
        if (other != null
                && !other.equals(name)
                && !(strategy(name).equals(SnowflakeStrategy.NAME)
                        && strategy(other).equals(SnowflakeStrategy.NAME))) {
            throw new ConfigurationException(
                    ErrorCode.INVALID_NAME,
                    "the sources '" + other + "' and '" + name + "' are for one column, " + column
                            + ", and would generate equal ids; give both the same name");
        }
    }

    /** Checks what the bound sources need of the running application; see {@link SourceBinder#check}. */
    void checkBound() {
        for (String name : bound) {
            entry(name).plan.check().run();
        }
    }

    /** Opens the bound sources that start eagerly; see {@link SourceBinder#start}. */
    void startBound() {
        for (String name : bound) {
            startIfEager(name);
        }
    }

    private void startIfEager(String name) {
        if (entry(name).eager) {
            try {
                get(name).warmUp();
            } catch (AllocationException e) {
                throw new AllocationException(e.code(), notStarted(name, e), e);
            } catch (IdUnavailableException e) {
                throw new IdUnavailableException(e.code(), name, e.outage(), notStarted(name, reason(e)), e);
            }
        }
    }

    /** Returns the failure of the store, if there is one: the text for callers says that idgen tries again. */
    private static IdGenerationException reason(IdUnavailableException e) {
        Throwable cause = e;
        while (cause != null && !(cause instanceof StoreUnreachableException)) {
            cause = cause.getCause();
        }
        return cause instanceof StoreUnreachableException unreachable ? unreachable : e;
    }

    private static String notStarted(String name, IdGenerationException e) {
        return "source '" + name + "' did not start: " + e.text();
    }

    /** Refuses settings for names that are not bound; see {@link SourceBinder#refuseUnbound}. */
    void refuseUnbound(String origin) {
        originOfNames.forEach((name, from) -> {
            if (from.equals(origin)) {
                refuseUnknown(name, origin, bound, sourceByEntity);
            }
        });
    }

    /** Refuses a name in settings that is none of the bound ones; see {@link SourceBinder#refuseMisspelt}. */
    static void refuseUnknown(String name, String origin, Set<String> bound, Map<String, String> sourceByEntity) {
        if (!bound.contains(name)) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    "settings speak of a source '" + name + "', and there is none; "
                            + advice(name, bound, sourceByEntity) + " (from " + origin + ")");
        }
    }

    private static String advice(String name, Set<String> known, Map<String, String> sourceByEntity) {
        return ofEntity(name, sourceByEntity)
                .map(source -> name + " is an entity; write its table: " + Setting.SOURCES + source + ".…")
                .orElseGet(() ->
                        known.isEmpty() ? "none is known" : "the nearest known are " + Settings.nearest(name, known));
    }

    /** Returns the source of the entity with this name, with or without its package, ignoring case. */
    static Optional<String> ofEntity(String name, Map<String, String> sourceByEntity) {
        return sourceByEntity.entrySet().stream()
                .filter(entity -> name.equalsIgnoreCase(entity.getKey())
                        || name.equalsIgnoreCase(entity.getKey().replaceFirst(".*[.$]", "")))
                .map(Map.Entry::getValue)
                .findFirst();
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
                        "cannot add the source '" + name + "': there are already " + MOST_NAMES
                                + ", which is the limit; use one source for each kind of ids, for example one per"
                                + " table, and do not derive names from data");
            }
            Entry old = entries.get(name);
            if (old != null && (old.source != null || known.isEmpty() || known.equals(old.known))) {
                return; // Hibernate binds each attribute twice
            }
            SourceContext context = new SourceContext(name, settings, Map.copyOf(known), this);
            IdStrategy strategy = strategies.chosen(context);
            if (old == null) {
                checkUnread(name, strategy);
            }
            entries.put(name, new Entry(known, context, strategy));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Handles settings of this source alone that its strategy does not read. A limit is a promise that the strategy
     * does not keep, so it is refused. Others cause a warning, because one file may serve several strategies.
     */
    private void checkUnread(String name, IdStrategy strategy) {
        SourceContext own = new SourceContext(name, settings, Map.of(), this);
        for (Setting<?> setting : strategies.settings()) {
            if (!setting.isForAll()
                    && own.isGiven(setting)
                    && !strategy.settings().contains(setting)) {
                ConfigurationException unread = own.refusal(
                        setting,
                        "source '" + name + "' has strategy " + strategy.name()
                                + ", which does not read this setting; remove it, or set " + Setting.SOURCES + name
                                + ".strategy to " + strategies.thatRead(setting));
                if (setting.equals(IdStrategy.LIMIT)) {
                    throw unread;
                }
                LOG.log(System.Logger.Level.WARNING, "{0}", String.valueOf(unread.getMessage()));
            }
        }
    }

    IdSource get(String name) {
        IdSource source = entry(name).source;
        return source != null ? source : open(name);
    }

    SourcePlan plan(String name) {
        return entry(name).plan;
    }

    /** The name of the strategy of a source. */
    String strategy(String name) {
        return entry(name).strategy.name();
    }

    /** The known sources, each with its strategy. */
    Map<SourceContext, IdStrategy> contexts() {
        return entries.values().stream().collect(Collectors.toMap(entry -> entry.context, entry -> entry.strategy));
    }

    /** The known names, sorted. */
    Set<String> names() {
        return new TreeSet<>(entries.keySet());
    }

    /** The snapshot of a source; null if it is not known, not open, or has none. */
    @Nullable
    SourceSnapshot snapshot(String name) {
        Entry entry = entries.get(name);
        IdSource source = entry == null ? null : entry.source;
        return source == null ? null : source.snapshot();
    }

    /** The snapshots of the open sources, by name. */
    Map<String, SourceSnapshot> snapshots() {
        Map<String, SourceSnapshot> snapshots = new TreeMap<>();
        for (String name : entries.keySet()) {
            SourceSnapshot snapshot = snapshot(name);
            if (snapshot != null) {
                snapshots.put(name, snapshot);
            }
        }
        return snapshots;
    }

    /** Closes all sources, then what they share, the latest first. */
    void close() {
        lock.lock();
        try {
            closed = true;
            List<Exception> failures = new ArrayList<>();
            List<CompletableFuture<?>> closing = new ArrayList<>();
            for (AutoCloseable each : opened) {
                if (each instanceof IdSource source) {
                    collect(failures, () -> closing.add(source.closeAsync()));
                }
            }
            if (!closing.isEmpty()) {
                closeWait.await(CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new)), CloseWait.LONGEST);
            }
            opened.removeIf(IdSource.class::isInstance);
            while (!opened.isEmpty()) {
                collect(failures, opened.pop());
            }
            if (!failures.isEmpty()) {
                IdGenerationException failure = new IdGenerationException(
                        ErrorCode.SOURCE_CLOSED, "closing a source failed", failures.remove(0));
                failures.forEach(failure::addSuppressed);
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    private static void collect(List<Exception> failures, AutoCloseable closing) {
        try {
            closing.close();
        } catch (Exception e) {
            failures.add(e);
        }
    }

    <T> Optional<T> resource(Class<T> type) {
        return Optional.ofNullable(type.cast(resources.get(type)));
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
        if (!entries.containsKey(name) && originOfNames.containsKey(name)) {
            makeKnown(name, Map.of());
        }
        Entry entry = entries.get(name);
        if (entry == null) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    "no source is called '" + name + "'; "
                            + advice(name, entries.keySet(), sourceByEntity)
                            + "; name it when building IdSources, by source(…), or give it a setting " + Setting.SOURCES
                            + name + ".…");
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
            Entry entry = entry(name); // read under the lock, since the name may have been bound again
            IdSource source = entry.source;
            if (source == null) {
                source = entry.plan.opener().get();
                if (!opened.contains(source)) {
                    opened.push(source);
                }
                entry.source = source;
                LOG.log(System.Logger.Level.DEBUG, "source ''{0}'': {1}", name, entry.strategy.name());
            }
            return source;
        } finally {
            lock.unlock();
        }
    }
}
