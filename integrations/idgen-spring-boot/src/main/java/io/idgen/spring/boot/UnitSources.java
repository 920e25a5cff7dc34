package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import org.springframework.beans.factory.ObjectProvider;

/**
 * All sources of an application: those of its {@link IdSources}, and those of persistence units that have sources of
 * their own. The names of the latter begin with the unit: {@code warehouse.item}. Safe for many threads.
 */
final class UnitSources {
    static final String BEAN = "idgenUnitSources";

    private final ObjectProvider<IdSources> application;
    private final Map<String, SourceBinder> units = new ConcurrentSkipListMap<>();
    private final Queue<Runnable> boots = new ConcurrentLinkedQueue<>();
    private final Set<String> injected = ConcurrentHashMap.newKeySet();

    UnitSources(ObjectProvider<IdSources> application) {
        this.application = application;
    }

    /** Adds the sources of a unit. Their names are known when its entity manager factory has booted. */
    void add(String unit, SourceBinder sources) {
        units.put(unit, sources);
    }

    /**
     * Adds an entity manager factory.
     *
     * @param waiting waits until it has booted, which may happen in the background
     */
    void addFactory(Runnable waiting) {
        boots.add(waiting);
    }

    /** Waits until all entity manager factories so far have booted. */
    void awaitBoots() {
        boots.forEach(Runnable::run);
    }

    /** Returns the source with a name for a bean, whichever unit has it. The first id looks for it. */
    IdSource lend(String name) {
        injected.add(name);
        return SourceBinder.lend(() -> owner(name).get(name));
    }

    private IdSources owner(String name) {
        List<String> owners = units.entrySet().stream()
                .filter(unit -> unit.getValue().sources().names().contains(name))
                .map(Map.Entry::getKey)
                .toList();
        if (owners.size() > 1) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_SOURCE,
                    "the units " + String.join(" and ", owners) + " have a source '" + name
                            + "'; use EntityIds.of(entityManagerFactory, \"" + name + "\")");
        }
        return owners.isEmpty()
                ? application.getObject()
                : Objects.requireNonNull(units.get(owners.get(0))).sources();
    }

    /** Returns whether a bean of the application has the source with this name. */
    boolean isInjected(String name) {
        return injected.contains(name);
    }

    /** Returns the names that sources have in the application or in a unit, without the unit. */
    Set<String> names() {
        Set<String> names = new TreeSet<>();
        forEach((prefix, sources) -> names.addAll(sources.names()));
        return names;
    }

    /** Returns the names of the sources of the units' entities, by the names of the entities. */
    Map<String, String> sourceByEntity() {
        Map<String, String> all = new HashMap<>();
        units.values().forEach(binder -> all.putAll(binder.sourceByEntity()));
        return all;
    }

    /** Calls an action for all sources, with the prefix of their names. */
    void forEach(BiConsumer<String, IdSources> action) {
        application.ifAvailable(sources -> action.accept("", sources));
        units.forEach((unit, binder) -> action.accept(unit + ".", binder.sources()));
    }

    /** Returns the states of the open sources, by name. */
    Map<String, SourceSnapshot> snapshots() {
        Map<String, SourceSnapshot> all = new TreeMap<>();
        forEach((prefix, sources) -> sources.snapshots().forEach((name, state) -> all.put(prefix + name, state)));
        return all;
    }
}
