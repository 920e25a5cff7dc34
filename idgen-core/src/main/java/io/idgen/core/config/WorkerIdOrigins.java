package io.idgen.core.config;

import static io.idgen.core.config.SnowflakeStrategy.ASSIGNER;
import static io.idgen.core.config.SnowflakeStrategy.WORKER_ID;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Determines where the worker id of a source comes from: from the value of {@code idgen.worker.assigner}, or from the
 * available stores and assigners.
 */
final class WorkerIdOrigins {

    /**
     * The origin of a worker id.
     *
     * @param fact determines the worker id; null if any worker id is leased
     * @param store opens the store from which the worker id is leased; null if it is not leased
     */
    record Origin(@Nullable LocalFact fact, @Nullable LeaseStoreProvider store) {}

    private final Map<String, LeaseStoreProvider> stores = new LinkedHashMap<>(); // that of the application first
    private final Map<Object, ApplicationFact> applicationFacts =
            new ConcurrentHashMap<>(); // by class name, or the object

    WorkerIdOrigins(List<LeaseStoreProvider> providers) {
        LeaseStoreProvider given = new GivenLeaseStore();
        stores.put(given.name(), given);
        Map<String, LeaseStoreProvider> ofModules = new TreeMap<>();
        for (LeaseStoreProvider provider : providers) {
            ofModules.putIfAbsent(provider.name(), new LinkedStore(provider));
        }
        ofModules.forEach(stores::putIfAbsent);
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
            all.addAll(store.resources());
        }
        return all;
    }

    /**
     * Reads the largest value of a column, in the database of a source.
     *
     * @throws ConfigurationException if the source has no database
     */
    long largestValue(SourceContext context, String column) {
        return stores.values().stream()
                .filter(store -> store.isAvailable(context))
                .flatMapToLong(store -> store.largestValue(context, column).stream())
                .findFirst()
                .orElseThrow(() -> context.refusal(
                        SnowflakeStrategy.START_ABOVE,
                        "column " + column + " cannot be read, since source '" + context.name()
                                + "' has no database; set the largest id itself, or idgen.jdbc.url"));
    }

    /**
     * Determines where the worker id of a source comes from.
     *
     * @throws ConfigurationException if nothing has the name that the setting gives, or if several stores could be
     *     meant: another process could lease the same worker id from another one
     */
    Origin of(SourceContext context) {
        Optional<String> named = context.find(ASSIGNER);
        if (named.isPresent()) {
            LeaseStoreProvider store = stores.get(named.get());
            return store != null ? new Origin(null, store) : of(context, named(context, named.get()));
        }
        Optional<WorkerIdAssigner> given = context.resource(WorkerIdAssigner.class);
        if (given.isPresent()) {
            return of(context, applicationFacts.computeIfAbsent(given.get(), key -> new ApplicationFact(given.get())));
        }
        LeaseStoreProvider available = available(context);
        return available != null ? new Origin(null, available) : new Origin(HostFact.parse("fixed"), null);
    }

    /**
     * Returns the tables that the worker id needs in the application's database. If nothing determines the worker id,
     * as in a build that has no database, these are the tables that a lease needs.
     */
    List<SourceTable> tables(SourceContext context) {
        LeaseStoreProvider store = of(context).store();
        if (store != null) {
            return store.tables(context);
        }
        boolean isUnknown = context.find(ASSIGNER).isEmpty()
                && context.find(WORKER_ID).isEmpty()
                && context.resource(WorkerIdAssigner.class).isEmpty();
        return isUnknown
                ? stores.values().stream()
                        .flatMap(each -> each.tables(context).stream())
                        .toList()
                : List.of();
    }

    private Origin of(SourceContext context, LocalFact fact) {
        return new Origin(fact, fact.isOnlyProcess() ? null : available(context));
    }

    /**
     * Returns the store that the application passed in, else that of a module, or null if there is none. Throws if
     * several modules have one.
     */
    private @Nullable LeaseStoreProvider available(SourceContext context) {
        List<LeaseStoreProvider> found = new ArrayList<>();
        for (LeaseStoreProvider store : stores.values()) {
            if (store.isAvailable(context)) {
                found.add(store);
            }
        }
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

    private LocalFact named(SourceContext context, String assigner) {
        boolean isClass = HostFact.isClassName(assigner);
        try {
            return isClass
                    ? applicationFacts.computeIfAbsent(assigner, key -> ofClass(assigner))
                    : HostFact.parse(assigner);
        } catch (IllegalArgumentException e) {
            String advice = Modules.adviceFor(assigner);
            String rule = e.getMessage() + (isClass ? "" : "; or " + String.join(", ", stores.keySet()));
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING, context.withOrigin(ASSIGNER, advice == null ? rule : advice), e);
        }
    }

    private static ApplicationFact ofClass(String className) {
        return new ApplicationFact(Extensions.ofClass(className, WorkerIdAssigner.class));
    }
}
