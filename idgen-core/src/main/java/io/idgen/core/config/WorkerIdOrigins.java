package io.idgen.core.config;

import static io.idgen.core.config.SnowflakeStrategy.ASSIGNER;
import static io.idgen.core.config.SnowflakeStrategy.WORKER_ID;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Determines where the worker id of a source comes from: from the value of {@code idgen.worker.assigner}, or from the
 * available stores and assigners.
 */
final class WorkerIdOrigins {

    /**
     * Where a worker id comes from.
     *
     * @param unleased if it is not leased
     * @param store opens the store that it is leased from; or, if it is not leased, the one that it has to be reserved
     *     in
     */
    record Origin(@Nullable Unleased unleased, @Nullable LeaseStoreProvider store) {}

    private final Map<String, LeaseStoreProvider> stores = new LinkedHashMap<>(); // the one that was handed in first
    private final Map<Object, PlatformAssigner> platforms = new ConcurrentHashMap<>(); // by class name, or the object

    WorkerIdOrigins(List<LeaseStoreProvider> providers) {
        add(new GivenLeaseStore());
        providers.stream()
                .sorted(Comparator.comparing(LeaseStoreProvider::name))
                .forEach(this::add);
    }

    private void add(LeaseStoreProvider provider) {
        stores.putIfAbsent(provider.name(), provider);
    }

    List<Setting<?>> settings() {
        return stores.values().stream()
                .<Setting<?>>flatMap(store -> store.settings().stream())
                .toList();
    }

    List<Class<?>> resources() {
        return stores.values().stream()
                .<Class<?>>flatMap(store -> store.resources().stream())
                .toList();
    }

    /** The provider with this name, which {@link #of} returned. */
    LeaseStoreProvider store(String name) {
        return Objects.requireNonNull(stores.get(name));
    }

    /**
     * Determines where the worker id of a source comes from.
     *
     * @throws ConfigurationException if nothing has the name that the setting gives
     */
    Origin of(SourceContext context) {
        Optional<String> named = context.find(ASSIGNER);
        LeaseStoreProvider available = stores.values().stream()
                .filter(store -> store.isAvailable(context))
                .findFirst()
                .orElse(null);
        if (named.isPresent()) {
            LeaseStoreProvider store = stores.get(named.get());
            return store != null ? new Origin(null, store) : unleased(named(context, named.get()), available);
        }
        Optional<WorkerIdAssigner> given = context.resource(WorkerIdAssigner.class);
        if (given.isPresent()) {
            return unleased(
                    platforms.computeIfAbsent(given.get(), key -> new PlatformAssigner(given.get())), available);
        }
        return available != null ? new Origin(null, available) : new Origin(Assigner.parse("fixed"), null);
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
        boolean isUnknown = Stream.of(ASSIGNER, WORKER_ID)
                        .allMatch(setting -> context.find(setting).isEmpty())
                && context.resource(WorkerIdAssigner.class).isEmpty();
        return isUnknown
                ? stores.values().stream()
                        .flatMap(each -> each.tables(context).stream())
                        .toList()
                : List.of();
    }

    private static Origin unleased(Unleased fact, @Nullable LeaseStoreProvider available) {
        return new Origin(fact, fact.isOnlyProcess() ? null : available);
    }

    private Unleased named(SourceContext context, String assigner) {
        boolean isClass = Assigner.isClassName(assigner);
        try {
            return isClass ? platforms.computeIfAbsent(assigner, key -> ofClass(assigner)) : Assigner.parse(assigner);
        } catch (IllegalArgumentException e) {
            String others = "; or " + String.join(", ", stores.keySet())
                    + (stores.containsKey("jdbc") ? "" : "; jdbc comes with idgen-jdbc");
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING,
                    context.withOrigin(ASSIGNER, e.getMessage() + (isClass ? "" : others)),
                    e);
        }
    }

    private static PlatformAssigner ofClass(String className) {
        return new PlatformAssigner(Extensions.ofClass(className, WorkerIdAssigner.class));
    }
}
