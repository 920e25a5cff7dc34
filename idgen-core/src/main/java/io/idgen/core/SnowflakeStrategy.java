package io.idgen.core;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@code snowflake}: sources of one {@link IdSources} whose settings are equal share one generator. */
final class SnowflakeStrategy implements IdStrategy {
    static final Setting<SnowflakeLayout> LAYOUT = Setting.of(
                    "snowflake.layout",
                    "How ids are laid out: idgen, or widths of time-datacenter-worker-sequence that sum to 63.",
                    SnowflakeLayout::parse)
            .orElse("idgen");
    static final Setting<Instant> EPOCH = Setting.<Instant>of(
                    "snowflake.epoch",
                    "When the time in ids begins: an instant with its zone, or milliseconds since 1970.",
                    SnowflakeLayout::parseEpoch)
            .orElse("2024-01-01T00:00:00Z");
    static final Setting<ClockPolicy> CLOCK_POLICY = Setting.of(
                    "snowflake.clock-policy",
                    "What to do when the clock steps back: fail, wait:5ms or run-ahead:1s, with any duration.",
                    ClockPolicy::parse)
            .orElse("wait:5ms");
    static final Setting<Assigner> ASSIGNER = Setting.of(
            "worker.assigner",
            "Where the worker id comes from: fixed (idgen.worker.id), or single-process (there is no other; worker 0 unless idgen.worker.id is set).",
            Assigner::parse);
    static final Setting<Long> WORKER_ID = Setting.of(
            "worker.id",
            "This process's worker id, a different one for each.",
            Setting.wholeNumber(0, Integer.MAX_VALUE));
    static final Setting<Long> DATACENTER_ID = Setting.of(
                    "worker.datacenter-id", "This process's datacenter id.", Setting.wholeNumber(0, Integer.MAX_VALUE))
            .orElse("0");
    static final Setting<String> NAMESPACE = Setting.<String>of(
                    "worker.namespace",
                    "Within what worker ids differ; ids of two namespaces may be equal.",
                    SnowflakeStrategy::name)
            .orElse("default");

    /** Who says which worker this is. */
    enum Assigner {
        FIXED,
        SINGLE_PROCESS;

        static Assigner parse(String text) {
            return switch (text.strip()) {
                case "fixed" -> FIXED;
                case "single-process" -> SINGLE_PROCESS;
                default ->
                    throw new IllegalArgumentException("an assigner is fixed or single-process, got '" + text + "'");
            };
        }
    }

    /** All that decides which ids are made; equal for sources that share a generator. */
    private record Plan(SnowflakeLayout layout, ClockPolicy policy, String namespace, int datacenter, int worker) {}

    @Override
    public String name() {
        return "snowflake";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(LAYOUT, EPOCH, CLOCK_POLICY, ASSIGNER, WORKER_ID, DATACENTER_ID, NAMESPACE);
    }

    @Override
    public long largestId(SourceContext context) {
        Plan plan = plan(context);
        Instant now = context.clock().instant();
        if (now.isBefore(plan.layout.epoch())) {
            throw context.refusal(EPOCH, Snowflake.epochInFuture(plan.layout, now));
        }
        return plan.layout.largestId(plan.layout.machine(plan.datacenter, plan.worker));
    }

    @Override
    public IdSource open(SourceContext context) {
        Plan plan = plan(context);
        return context.shared(
                plan,
                () -> Snowflake.builder()
                        .layout(plan.layout)
                        .clockPolicy(plan.policy)
                        .namespace(plan.namespace)
                        .datacenterId(plan.datacenter)
                        .workerId(plan.worker)
                        .clock(context.clock())
                        .build());
    }

    private static Plan plan(SourceContext context) {
        SnowflakeLayout layout = context.get(LAYOUT).withEpoch(context.get(EPOCH));
        int datacenter = context.get(DATACENTER_ID).intValue();
        int worker = worker(context, layout);
        try {
            layout.machine(datacenter, 0);
        } catch (IllegalArgumentException e) {
            throw context.refusal(DATACENTER_ID, String.valueOf(e.getMessage()));
        }
        try {
            layout.machine(0, worker);
        } catch (IllegalArgumentException e) {
            throw context.refusal(WORKER_ID, String.valueOf(e.getMessage()));
        }
        return new Plan(layout, context.get(CLOCK_POLICY), context.get(NAMESPACE), datacenter, worker);
    }

    private static int worker(SourceContext context, SnowflakeLayout layout) {
        Optional<Long> worker = context.find(WORKER_ID);
        if (worker.isEmpty() && context.find(ASSIGNER).orElse(Assigner.FIXED) == Assigner.FIXED) {
            throw new ConfigurationException(
                    ErrorCode.WORKER_ID_UNKNOWN,
                    "nothing says which worker this process is; set idgen.worker.id to a number from 0 to "
                            + ((1L << layout.workerBits()) - 1)
                            + " that no other process has, or idgen.worker.assigner=single-process if there is no other");
        }
        return worker.orElse(0L).intValue();
    }

    private static String name(String text) {
        if (text.isBlank() || text.length() > 64) {
            throw new IllegalArgumentException("a namespace is 1 to 64 characters and not blank, got '" + text + "'");
        }
        return text;
    }
}
