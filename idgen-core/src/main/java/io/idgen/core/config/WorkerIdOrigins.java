package io.idgen.core.config;

import static io.idgen.core.config.SnowflakeStrategy.ASSIGNER;
import static io.idgen.core.config.SnowflakeStrategy.WORKER_ID;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Determines where the worker id of a source comes from: from the value of {@code idgen.worker.assigner}, or from the
 * available stores and assigners. If a library that the module of a store needs is missing, or has a wrong version, the
 * store is not available and does not disturb others; a source that needs it is refused.
 */
final class WorkerIdOrigins {

    /**
     * The origin of a worker id.
     *
     * @param fact determines the worker id; null if any worker id is leased
     * @param store opens the store from which the worker id is leased; null if it is not leased
     */
    record Origin(@Nullable LocalFact fact, @Nullable LeaseStoreProvider store) {}

    private volatile Map<String, LeaseStoreProvider> stores = new LinkedHashMap<>(); // that of the application first
    private final Map<Object, LocalFact> ofApplication = new ConcurrentHashMap<>(); // by class name, or the object

    private final Runnable services;

    /**
     * Creates the origins that need no module.
     *
     * @param services adds the stores of modules
     */
    WorkerIdOrigins(Runnable services) {
        this.services = services;
        add(List.of(new GivenLeaseStore()));
    }

    /** Adds the stores of modules, sorted by name. Of two with one name, the first counts. */
    void add(List<LeaseStoreProvider> providers) {
        Map<String, LeaseStoreProvider> sorted = new TreeMap<>();
        for (LeaseStoreProvider provider : providers) {
            sorted.putIfAbsent(provider.name(), provider);
        }
        Map<String, LeaseStoreProvider> all = new LinkedHashMap<>(stores);
        for (LeaseStoreProvider provider : sorted.values()) {
            all.putIfAbsent(provider.name(), provider);
        }
        stores = all;
    }

    List<Setting<?>> settings() {
        List<Setting<?>> all = new ArrayList<>();
        for (LeaseStoreProvider store : stores.values()) {
            all.addAll(store.settings());
        }
        return all;
    }

    List<Class<?>> resources() {
        List<Class<?>> all = new ArrayList<>();
        for (LeaseStoreProvider store : stores.values()) {
            try {
                all.addAll(store.resources());
            } catch (LinkageError e) {
                continue; // the application has no object of a class that does not exist
            }
        }
        return all;
    }

    /** Compares the largest ids in the tables of a source with its layout. */
    void checkKeys(SourceContext context) {
        if (!context.keys().isEmpty()) {
            for (LeaseStoreProvider store : availableStores(context)) {
                linked(store, each -> {
                    each.checkKeys(context);
                    return true;
                });
            }
        }
    }

    /**
     * Reads the largest value of a column, in the database of a source.
     *
     * @throws ConfigurationException if the source has no database
     */
    long largestValue(SourceContext context, String column) {
        for (LeaseStoreProvider store : availableStores(context)) {
            OptionalLong largest = linked(store, each -> each.largestValue(context, column));
            if (largest.isPresent()) {
                return largest.getAsLong();
            }
        }
        throw context.refusal(
                SnowflakeStrategy.START_ABOVE,
                "column " + column + " cannot be read, since source '" + context.name()
                        + "' has no database; set the largest id itself, or idgen.jdbc.url");
    }

    /**
     * Determines where the worker id of a source comes from.
     *
     * @throws ConfigurationException if nothing has the name that the setting gives, or if several stores could be
     *     meant: another process could lease the same worker id from another one
     */
    Origin of(SourceContext context) {
        String named = context.find(ASSIGNER).orElse(null);
        if (named != null) {
            return named(context, named);
        }
        WorkerIdAssigner given = context.resource(WorkerIdAssigner.class).orElse(null);
        if (given != null) {
            return of(context, ofApplication.computeIfAbsent(given, key -> LocalFact.of(given)));
        }
        LeaseStoreProvider available = available(context);
        return available != null ? new Origin(null, available) : new Origin(LocalFact.parse("fixed"), null);
    }

    private Origin of(SourceContext context, LocalFact fact) {
        return new Origin(fact, fact.isOnlyProcess() ? null : available(context));
    }

    private Origin named(SourceContext context, String assigner) {
        boolean isClass = assigner.contains(".") && !assigner.contains(":");
        if (!isClass && !LocalFact.isKnown(assigner)) {
            services.run(); // perhaps it is a store
        }
        LeaseStoreProvider store = stores.get(assigner);
        if (store != null) {
            return new Origin(null, store);
        }
        LocalFact fact;
        try {
            fact = isClass
                    ? ofApplication.computeIfAbsent(
                            assigner, key -> LocalFact.of(Extensions.ofClass(assigner, WorkerIdAssigner.class)))
                    : LocalFact.parse(assigner);
        } catch (IllegalArgumentException e) {
            String advice = Extensions.moduleFor(assigner);
            String rule = e.getMessage() + (isClass ? "" : "; or " + String.join(", ", stores.keySet()));
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING, context.withOrigin(ASSIGNER, advice == null ? rule : advice), e);
        }
        return of(context, fact);
    }

    /**
     * Returns the tables that the worker id needs in the application's database. If nothing determines the worker id,
     * as in a build that has no database, these are the tables that a lease needs.
     */
    List<SourceTable> tables(SourceContext context) {
        LeaseStoreProvider leased = of(context).store();
        if (leased != null) {
            return linked(leased, store -> store.tables(context));
        }
        List<SourceTable> tables = new ArrayList<>();
        if (!context.isGiven(ASSIGNER)
                && !context.isGiven(WORKER_ID)
                && context.resource(WorkerIdAssigner.class).isEmpty()) {
            for (LeaseStoreProvider store : stores.values()) {
                tables.addAll(linked(store, each -> each.tables(context)));
            }
        }
        return tables;
    }

    /**
     * Returns the store that the application passed in, else that of a module, or null if there is none. Throws if
     * several modules have one.
     */
    private @Nullable LeaseStoreProvider available(SourceContext context) {
        List<LeaseStoreProvider> found = availableStores(context);
        if (found.size() > 1 && !(found.get(0) instanceof GivenLeaseStore)) {
            List<String> names = found.stream().map(LeaseStoreProvider::name).toList();
            throw new ConfigurationException(
                    ErrorCode.WORKER_ID_UNKNOWN,
                    "worker ids can be leased from " + String.join(" and ", names)
                            + ", and all processes must use the same one; set " + ASSIGNER + " to "
                            + String.join(" or ", names)
                            + " in all of them, or, for a worker id without a lease, remove the settings of the"
                            + " others");
        }
        return found.isEmpty() ? null : found.get(0);
    }

    private List<LeaseStoreProvider> availableStores(SourceContext context) {
        List<LeaseStoreProvider> found = new ArrayList<>();
        for (LeaseStoreProvider store : stores.values()) {
            if (isAvailable(store, context)) {
                found.add(store);
            }
        }
        return found;
    }

    /** Throws if the library is missing and a setting of the store is given: other processes may lease from it. */
    private static boolean isAvailable(LeaseStoreProvider store, SourceContext context) {
        try {
            return store.isAvailable(context);
        } catch (LinkageError e) {
            if (store.settings().stream().anyMatch(context::isGiven)) {
                throw notLinked(store, e);
            }
            return false;
        }
    }

    /**
     * Returns what a store's module returns.
     *
     * @throws ConfigurationException if a library of the module is missing
     */
    static <T> T linked(LeaseStoreProvider store, Function<LeaseStoreProvider, T> call) {
        try {
            return call.apply(store);
        } catch (LinkageError e) {
            throw notLinked(store, e);
        }
    }

    private static ConfigurationException notLinked(LeaseStoreProvider store, LinkageError e) {
        return new ConfigurationException(
                ErrorCode.UNKNOWN_STRATEGY,
                "worker ids cannot be leased from " + store.name() + ": " + e + "; " + Extensions.libraryFor(e)
                        + ", or remove the settings of " + store.name() + " if no process uses it",
                e);
    }
}
