package io.idgen.core.config;

import io.idgen.core.IdSource;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.lease.LayoutTime;
import io.idgen.core.internal.lease.Window;
import io.idgen.core.internal.lease.WorkerIdSet;
import io.idgen.core.internal.time.Defaults;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.Names;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.Snowflake;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * {@code snowflake}: sources of one {@link IdSources} whose settings are equal share one generator.
 */
final class SnowflakeStrategy implements IdStrategy {
    static final String NAME = "snowflake";

    static final Setting<SnowflakeLayout> LAYOUT = Setting.of(
                    "snowflake.layout",
                    "How the bits of an id are divided: "
                            + String.join(", ", SnowflakeLayout.presets().keySet())
                            + ", or widths of time-datacenter-worker-sequence like 41-5-5-12.",
                    SnowflakeLayout::parse)
            .withDefault(Defaults.LAYOUT);
    static final Setting<Instant> EPOCH = Setting.of(
            "snowflake.epoch",
            "The instant at which the time in ids is 0, with a zone or in milliseconds since 1970. If not set, the layout's epoch.",
            SnowflakeLayout::parseEpoch);
    static final Setting<ClockPolicy> CLOCK_POLICY = Setting.of(
                    "snowflake.clock-policy",
                    "What to do if this host's clock steps back: fail, wait:5ms, run-ahead:1s or reuse:2048, with any numbers."
                            + " Not allowed with leased worker ids, which do not use this clock.",
                    ClockPolicy::parse)
            .withDefault(Defaults.CLOCK_POLICY);
    static final Setting<Integer> START_OFFSET_BELOW = Setting.<Integer>of(
                    "snowflake.start-offset-below",
                    "Each tick begins at a sequence below this power of two, so that ids at a low rate spread evenly over id % 2, 4, 8"
                            + " and so on up to it. At most half of a tick's ids. 1: each tick begins at 0. Has no effect in"
                            + " layouts whose lowest bits are the worker's.",
                    SnowflakeStrategy::powerOfTwo)
            .withDefault(Integer.toString(Window.START_OFFSETS));
    static final Setting<ExistingIds> START_ABOVE = Setting.of(
            "snowflake.start-above",
            "The largest id of an earlier generator, or the column with its ids as table.column. If the next id is not above it, the"
                    + " first id fails, and the message proposes a layout or an epoch. Each start reads the column once, and uses one id.",
            ExistingIds::parse);
    static final Setting<String> ASSIGNER = Setting.of(
            "worker.assigner",
            "Where the worker id comes from: jdbc, redis or zookeeper (leased there; each is a module), lease-store (leased from a"
                    + " LeaseStore that you pass in), fixed (idgen.worker.id), env, env:VARIABLE, ordinal (app-3), ip, ip:INTERFACE, mac,"
                    + " mac:INTERFACE, or single-process (you guarantee that there is no other process)."
                    + " If not set: a WorkerIdAssigner or LeaseStore that you pass in, else jdbc with a database,"
                    + " redis or zookeeper with its address, else fixed.",
            Setting.TEXT);
    static final Setting<Integer> WORKER_ID = Setting.of(
            "worker.id",
            "The worker id of this process, different in each process. With a database, idgen leases this worker id: after a"
                    + " kill it is free again after 30 s.",
            Setting.integer(0, Integer.MAX_VALUE));
    static final Setting<Integer> DATACENTER_ID = Setting.of(
            "worker.datacenter-id",
            "The datacenter id of this process. If not set: any with leases, from the address with ip and mac, otherwise 0.",
            Setting.integer(0, Integer.MAX_VALUE));
    static final Setting<WorkerIdSet> RESERVED = Setting.of(
            "worker.reserved",
            "Worker ids that a process without a worker id of its own never leases, in any datacenter, such as 0-3,7; the same for"
                    + " all processes. List those that some processes set or determine.",
            WorkerIdSet::parse);
    static final Setting<String> NAMESPACE = Setting.<String>of(
                    "worker.namespace",
                    "The scope in which worker ids are unique. Ids of two namespaces can be equal.",
                    text -> Names.check("a namespace", text, Defaults.LONGEST_NAMESPACE))
            .withDefault(Defaults.NAMESPACE);

    /** How long the first call waits for a worker id, unless {@code idgen.acquire-timeout} is set. */
    private static final Duration FIRST_ID_TIMEOUT = Durations.parse(Defaults.WORKER_TIMEOUT);

    /** All properties of a generator. Sources with equal properties share it. */
    private record Properties(String namespace, List<@Nullable Object> others) {
        @Override
        public int hashCode() {
            return namespace.hashCode(); // that of a record would be linked before the first id: see Strategies
        }
    }

    private final WorkerIds workerIds;

    SnowflakeStrategy(WorkerIds workerIds) {
        this.workerIds = workerIds;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Setting<?>> settings() {
        List<Setting<?>> all = new ArrayList<>(List.of(
                LAYOUT,
                EPOCH,
                CLOCK_POLICY,
                START_OFFSET_BELOW,
                START_ABOVE,
                ASSIGNER,
                WORKER_ID,
                DATACENTER_ID,
                RESERVED,
                NAMESPACE,
                LeaseStoreProvider.OWNER,
                IdStrategy.ACQUIRE_TIMEOUT,
                IdStrategy.LIMIT));
        for (LeaseStoreProvider store : workerIds.stores()) {
            all.addAll(store.settings());
        }
        return all;
    }

    @Override
    public List<Class<?>> resources() {
        List<Class<?>> all = new ArrayList<>(List.of(IdgenListener.class, LeaseStore.class, WorkerIdAssigner.class));
        for (LeaseStoreProvider store : workerIds.stores()) {
            all.addAll(store.resources());
        }
        return all;
    }

    /**
     * {@inheritDoc} The settings determine the largest id and the tables. The worker id, which may be known only in
     * production, is determined when the source opens.
     */
    @Override
    public SourcePlan plan(SourceContext context) {
        SnowflakeLayout layout = layout(context);
        WorkerIds.Origin origin = workerIds.of(context);
        LeaseStoreProvider store = origin.store();
        if (store != null && context.isGiven(CLOCK_POLICY)) {
            throw context.refusal(
                    CLOCK_POLICY,
                    "the worker id is leased from " + store.name()
                            + ", so ids follow its clock, and this host's is not read; leave it out");
        }
        long largestId = layout.largestId(layout.workers() - 1);
        checkLimit(context, layout, largestId);
        return new SourcePlan(
                largestId,
                workerIds.tables(context, origin),
                () -> workerIds.worker(context, layout, origin),
                () -> open(context, layout, origin));
    }

    private IdSource open(SourceContext context, SnowflakeLayout layout, WorkerIds.Origin origin) {
        WorkerIds.WorkerNumbers worker = workerIds.worker(context, layout, origin);
        LeaseStoreProvider store = origin.store();
        Duration timeout = context.get(IdStrategy.ACQUIRE_TIMEOUT);
        Duration first = context.isGiven(IdStrategy.ACQUIRE_TIMEOUT) ? timeout : FIRST_ID_TIMEOUT;
        ClockPolicy policy = context.get(CLOCK_POLICY);
        String namespace = context.get(NAMESPACE);
        String reserved = reserved(context).toString();
        int startOffsets = context.get(START_OFFSET_BELOW);
        Properties all = new Properties(
                namespace, Arrays.asList(layout, startOffsets, worker, store, policy, reserved, first, timeout));
        Snowflake.Builder builder = Snowflake.builder()
                .layout(layout)
                .namespace(namespace)
                .startOffsetBelow(startOffsets)
                .reserved(reserved)
                .acquireTimeout(first, timeout)
                .listener(context.resource(IdgenListener.class).orElse(IdgenListener.NONE))
                .clock(context.clock());
        if (worker.datacenter() != null) {
            builder.datacenterId(worker.datacenter());
        }
        if (worker.worker() != null) {
            builder.workerId(worker.worker());
        }
        Snowflake source = context.shared(
                all,
                () -> (store == null ? builder.clockPolicy(policy) : builder.leasedFrom(store.open(context))).build());
        if (!context.keys().isEmpty()) {
            for (LeaseStoreProvider each : workerIds.available(context)) {
                each.checkKeys(context);
            }
        }
        ExistingIds earlier = context.find(START_ABOVE).orElse(null);
        if (earlier != null) {
            String column = earlier.column;
            long largest = column == null ? earlier.id : largestValue(context, column);
            earlier.check(largest, source.nextId(), layout, context);
        }
        return source;
    }

    private long largestValue(SourceContext context, String column) {
        for (LeaseStoreProvider store : workerIds.available(context)) {
            OptionalLong largest = store.largestValue(context, column);
            if (largest.isPresent()) {
                return largest.getAsLong();
            }
        }
        throw context.refusal(
                START_ABOVE,
                "column " + column + " cannot be read, since source '" + context.name()
                        + "' has no database; set the largest id itself, or idgen.jdbc.url");
    }

    private static void checkLimit(SourceContext context, SnowflakeLayout layout, long largestId) {
        long limit = context.get(IdStrategy.LIMIT);
        if (context.isGiven(IdStrategy.LIMIT) && largestId >= limit) {
            String wayOut = limit > SnowflakeLayout.JS_SAFE.largestId(SnowflakeLayout.JS_SAFE.workers() - 1)
                    ? "for a new source, set " + LAYOUT + "=js-safe, whose ids are below it"
                    : "choose a strategy whose ids are small, for example segment, or remove the limit";
            throw context.refusal(
                    IdStrategy.LIMIT,
                    "ids of strategy snowflake reach " + largestId + " with layout " + layout + ", the limit is "
                            + limit + "; " + wayOut);
        }
    }

    static SnowflakeLayout layout(SourceContext context) {
        SnowflakeLayout named = context.get(LAYOUT);
        Instant epoch = context.find(EPOCH).orElse(null);
        SnowflakeLayout layout = epoch == null ? named : named.withEpoch(epoch);
        Instant now = context.clock().instant();
        if (now.isBefore(layout.epoch())) {
            throw context.refusal(EPOCH, LayoutTime.epochInFuture(layout, now));
        }
        LayoutTime.checkCovers(layout, now);
        checkFits(context, DATACENTER_ID, layout, context.find(DATACENTER_ID).orElse(0), 0);
        checkFits(context, WORKER_ID, layout, 0, context.find(WORKER_ID).orElse(0));
        checkFits(context, RESERVED, layout, 0, reserved(context).largest());
        return layout;
    }

    private static WorkerIdSet reserved(SourceContext context) {
        return context.find(RESERVED).orElse(WorkerIdSet.EMPTY);
    }

    private static void checkFits(
            SourceContext context, Setting<?> setting, SnowflakeLayout layout, int datacenter, int worker) {
        try {
            layout.packWorker(datacenter, worker);
        } catch (IllegalArgumentException e) {
            throw context.refusal(setting, String.valueOf(e.getMessage()));
        }
    }

    private static Integer powerOfTwo(String text) {
        Integer number = Setting.integer(1, 1 << 30).apply(text);
        if (Integer.bitCount(number) != 1) {
            throw new IllegalArgumentException("a power of two is expected, got '" + text + "'");
        }
        return number;
    }
}
