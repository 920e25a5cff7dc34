package io.idgen.core.config;

import static io.idgen.core.config.SnowflakeStrategy.ASSIGNER;
import static io.idgen.core.config.SnowflakeStrategy.DATACENTER_ID;
import static io.idgen.core.config.SnowflakeStrategy.WORKER_ID;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.time.Characters;
import io.idgen.core.layout.SnowflakeLayout;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Determines the worker id of a process: by a lease from a store, by an assigner, or both. An assigner knows one local
 * fact. If the fact is missing or ambiguous, the start fails and the message says what was found; a guess would lead to
 * duplicates. No assigner sees other processes. With a store, the worker id of an assigner is leased (except for {@code
 * single-process}), so the second of two processes that share the fact is refused. Without a store, they collide.
 *
 * <ul>
 *   <li>{@code fixed}: {@code idgen.worker.id}. Collides when one configuration is deployed twice.
 *   <li>{@code env}, {@code env:NAME}: an environment variable (by default {@code
 *       IDGEN_WORKER_ID}). Collides like {@code fixed}; right if a scheduler numbers its
 *       instances.
 *   <li>{@code ordinal}: the number at the end of the host name, as in {@code app-3} of a StatefulSet. Collides between
 *       two StatefulSets on one table, and if a pod that was deleted by force still runs when its successor starts.
 *   <li>{@code ip}, {@code ip:INTERFACE}: the last bits of the host's only IPv4 address, as many as the layout has for
 *       datacenter and worker. Collides between hosts that differ only in the bits above, behind NAT, between
 *       containers on different hosts with the same private network, and between two processes of one host.
 *   <li>{@code mac}, {@code mac:INTERFACE}: the last bits of the only hardware address. They are like random numbers:
 *       with 10 bits, 38 hosts collide with a probability of one half. Also collides between two processes of one host,
 *       and if virtual hosts or containers are cloned with their address.
 *   <li>{@code single-process}: the user guarantees that there is no other process.
 *   <li>The application's {@link WorkerIdAssigner}. It is called once, so that all sources have the same number.
 * </ul>
 */
final class WorkerIds {
    private static final String SINGLE_PROCESS = "single-process";
    private static final LeaseStoreProvider GIVEN = new GivenLeaseStore();

    /**
     * The origin of a worker id. Without an assigner, any worker id is leased.
     *
     * @param assigner the name of an assigner
     * @param application the application's assigner
     * @param store opens the store from which the worker id is leased; null if it is not leased
     */
    record Origin(
            @Nullable String assigner,
            @Nullable WorkerIdAssigner application,
            @Nullable LeaseStoreProvider store) {}

    /** A datacenter id and a worker id, each in range; null if the lease determines it. */
    record WorkerNumbers(
            @Nullable Integer datacenter, @Nullable Integer worker) {

        /** Throws if an id does not fit in the layout. */
        static WorkerNumbers of(SnowflakeLayout layout, int datacenter, int worker) {
            layout.packWorker(datacenter, worker);
            return new WorkerNumbers(datacenter, worker);
        }
    }

    private final Host host;
    private final Strategies strategies;
    private final Map<String, LeaseStoreProvider> stores = new TreeMap<>(); // sorted for messages
    private @Nullable Integer assigned; // by the application

    /**
     * Creates an object that knows the store of the application only.
     *
     * @param strategies adds the stores of modules
     */
    WorkerIds(Host host, Strategies strategies) {
        this.host = host;
        this.strategies = strategies;
        add(List.of(GIVEN));
    }

    /** Adds the stores of modules. Of two with one name, the first counts. */
    void add(List<LeaseStoreProvider> providers) {
        for (LeaseStoreProvider provider : providers) {
            stores.putIfAbsent(provider.name(), provider);
        }
    }

    /** Returns all known stores. */
    Iterable<LeaseStoreProvider> stores() {
        return stores.values();
    }

    /** Returns the stores for which the application has what they need. */
    List<LeaseStoreProvider> available(SourceContext context) {
        List<LeaseStoreProvider> found = new ArrayList<>();
        for (LeaseStoreProvider store : stores.values()) {
            if (store.isAvailable(context)) {
                found.add(store);
            }
        }
        return found;
    }

    /**
     * Determines where the worker id of a source comes from.
     *
     * @throws ConfigurationException if nothing has the name that the setting gives, or if several stores could be
     *     meant: another process could lease the same worker id from another one
     */
    Origin of(SourceContext context) {
        String named = context.find(ASSIGNER).orElse(null);
        if (named == null) {
            WorkerIdAssigner given = context.resource(WorkerIdAssigner.class).orElse(null);
            LeaseStoreProvider store = only(available(context));
            return new Origin(given == null && store == null ? "fixed" : null, given, store);
        }
        if (isAssigner(named)) {
            return new Origin(named, null, named.equals(SINGLE_PROCESS) ? null : only(available(context)));
        }
        if (!stores.containsKey(named)) {
            strategies.lookUpServices();
        }
        LeaseStoreProvider store = stores.get(named);
        if (store == null) {
            String advice = strategies.missingModule(named);
            throw context.refusal(
                    ASSIGNER,
                    advice != null
                            ? advice
                            : "an assigner is fixed, env, env:VARIABLE, ordinal, ip, ip:INTERFACE, mac,"
                                    + " mac:INTERFACE or single-process, got '" + named + "'; or "
                                    + String.join(", ", stores.keySet()));
        }
        return new Origin(null, null, store);
    }

    private static boolean isAssigner(String text) {
        String[] words = text.split(":", 2);
        return switch (words[0]) {
            case "fixed", "ordinal", SINGLE_PROCESS -> words.length == 1;
            case "env", "ip", "mac" -> words.length == 1 || !words[1].isBlank();
            default -> false;
        };
    }

    /** Returns the store that the application passed in, else that of a module, or null if there is none. */
    private static @Nullable LeaseStoreProvider only(List<LeaseStoreProvider> available) {
        if (available.contains(GIVEN)) {
            return GIVEN;
        }
        if (available.size() > 1) {
            List<String> names =
                    available.stream().map(LeaseStoreProvider::name).toList();
            throw new ConfigurationException(
                    ErrorCode.WORKER_ID_UNKNOWN,
                    "worker ids can be leased from " + String.join(" and ", names)
                            + ", and all processes must use the same one; set " + ASSIGNER + " to "
                            + String.join(" or ", names)
                            + " in all of them, or, for a worker id without a lease, remove the settings of the"
                            + " others");
        }
        return available.isEmpty() ? null : available.get(0);
    }

    /**
     * Returns the tables that the worker id needs in the application's database. If nothing determines the worker id,
     * as in a build that has no database, these are the tables that a lease needs.
     */
    List<SourceTable> tables(SourceContext context, Origin origin) {
        if (origin.store != null) {
            return origin.store.tables(context);
        }
        List<SourceTable> tables = new ArrayList<>();
        if (!context.isGiven(ASSIGNER) && !context.isGiven(WORKER_ID) && origin.application == null) {
            for (LeaseStoreProvider store : stores.values()) {
                tables.addAll(store.tables(context));
            }
        }
        return tables;
    }

    /**
     * Returns the worker that an assigner determines, or that a lease has to have.
     *
     * @throws ConfigurationException if nothing determines the worker id, it does not fit in the layout, or the store
     *     lacks something
     */
    WorkerNumbers worker(SourceContext context, SnowflakeLayout layout, Origin origin) {
        Optional<Integer> datacenter = context.find(DATACENTER_ID);
        Optional<Integer> worker = context.find(WORKER_ID);
        WorkerIdAssigner application = origin.application;
        WorkerNumbers result = new WorkerNumbers(datacenter.orElse(null), worker.orElse(null));
        try {
            if (application != null) {
                result = WorkerNumbers.of(layout, datacenter.orElse(0), number(application, worker));
            } else if (origin.assigner != null) {
                result = assign(origin.assigner, layout, datacenter, worker);
            }
        } catch (IllegalArgumentException e) {
            String message = application == null ? "" : application.getClass().getName() + ": ";
            throw context.refusal(worker.isPresent() ? WORKER_ID : ASSIGNER, message + e.getMessage());
        }
        if (origin.store != null) {
            origin.store.check(context);
        }
        return result;
    }

    /**
     * Returns the datacenter id and worker id of this process. If no datacenter id is configured, {@code ip} and {@code
     * mac} fill its bits too.
     *
     * @param datacenter the configured one
     * @param worker the configured one
     * @throws IllegalArgumentException if the fact does not fit; the message says what was found
     * @throws ConfigurationException if the fact is missing or ambiguous
     */
    WorkerNumbers assign(
            String assigner, SnowflakeLayout layout, Optional<Integer> datacenter, Optional<Integer> worker) {
        String[] words = assigner.split(":", 2);
        String argument = words.length == 1 ? "" : words[1].strip();
        long workers = 1L << layout.workerBits();
        try {
            return switch (words[0]) {
                case "ip", "mac" -> {
                    long bits = address(words[0], argument);
                    int upper = (int) (bits / workers % (1L << layout.datacenterBits()));
                    yield WorkerNumbers.of(layout, datacenter.orElse(upper), (int) (bits % workers));
                }
                default -> WorkerNumbers.of(layout, datacenter.orElse(0), number(words[0], argument, worker));
            };
        } catch (IllegalStateException | IOException e) {
            throw new ConfigurationException(
                    ErrorCode.WORKER_ID_UNKNOWN,
                    (e instanceof IOException ? "assigner " + assigner + " fails: " + e : e.getMessage())
                            + "; set idgen.jdbc.data-source or idgen.jdbc.url (module idgen-jdbc), and the worker id is leased from"
                            + " that database, or set idgen.worker.id to a number from 0 to " + (workers - 1)
                            + " that no other process has");
        }
    }

    /** Throws an IllegalStateException if the fact is missing or ambiguous. */
    private int number(String kind, String argument, Optional<Integer> worker) throws IOException {
        return switch (kind) {
            case "fixed" -> {
                if (worker.isEmpty()) {
                    throw new IllegalStateException("nothing says which worker this process is");
                }
                yield worker.get();
            }
            case "env" -> {
                String name = argument.isEmpty() ? "IDGEN_WORKER_ID" : argument;
                yield parse("environment variable " + name, host.variable(name));
            }
            case "ordinal" -> {
                String name = host.name();
                String first = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
                String digits = first.substring(first.lastIndexOf('-') + 1);
                if (!first.contains("-") || !digits.matches("\\d{1,9}")) {
                    throw new IllegalStateException(
                            "the host's name '" + name + "' does not end in a number after a hyphen, as app-3 does");
                }
                yield Integer.parseInt(digits);
            }
            default -> worker.orElse(0);
        };
    }

    private static int parse(String name, @Nullable String text) {
        if (text == null || !text.strip().matches("\\d{1,9}")) {
            throw new IllegalStateException(name + (text == null ? " is not set" : " is '" + text + "', no worker id"));
        }
        return Integer.parseInt(text.strip());
    }

    /** Returns the last eight bytes of the only address, not negative; of one interface, or of all if it is empty. */
    private long address(String kind, String name) throws IOException {
        Map<String, byte[]> found = new TreeMap<>();
        List<Host.Interface> all = host.interfaces();
        for (Host.Interface each : all) {
            if (!name.isEmpty() && !each.name().equals(name)) {
                continue;
            }
            if (kind.equals("ip")) {
                for (InetAddress address : each.reachable()) {
                    found.put(each.name() + " " + address.getHostAddress(), address.getAddress());
                }
            } else if (each.mac() != null && each.mac().length > 0) {
                found.put(each.name(), each.mac());
            }
        }
        if (found.size() != 1) {
            throw new IllegalStateException("the host must have exactly one "
                    + (kind.equals("ip") ? "IPv4 address" : "hardware address") + " for assigner " + kind
                    + (name.isEmpty() ? "" : ":" + name) + ", and has " + found.size() + " " + found.keySet()
                    + "; name its interface, as in " + kind + ":eth0; there are "
                    + all.stream().map(Host.Interface::name).toList());
        }
        return new BigInteger(1, found.values().iterator().next()).longValue() & Long.MAX_VALUE;
    }

    private synchronized int number(WorkerIdAssigner application, Optional<Integer> worker) {
        if (worker.isPresent()) {
            throw new IllegalArgumentException("the assigner gives the worker id, which is also set to " + worker.get()
                    + "; leave one of them out, or set idgen.worker.assigner=fixed");
        }
        if (assigned == null) {
            assigned = call(application);
        }
        return assigned;
    }

    private static int call(WorkerIdAssigner assigner) {
        try {
            return assigner.workerId();
        } catch (ConfigurationException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new ConfigurationException(
                    ErrorCode.WORKER_ID_UNKNOWN,
                    Characters.line(assigner.getClass().getName() + " cannot tell the worker id of this process: " + e
                            + "; correct what it reads, or set idgen.worker.assigner to another assigner"),
                    e);
        }
    }
}
