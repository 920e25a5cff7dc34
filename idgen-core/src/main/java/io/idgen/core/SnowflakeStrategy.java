package io.idgen.core;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@code snowflake}: sources of one {@link IdSources} whose settings are equal share one generator. */
final class SnowflakeStrategy implements IdStrategy {
    static final Setting<SnowflakeLayout> LAYOUT = Setting.of(
                    "snowflake.layout",
                    "How ids are laid out: "
                            + String.join(", ", SnowflakeLayout.presets().keySet())
                            + ", or widths of time-datacenter-worker-sequence like 41-5-5-12.",
                    SnowflakeLayout::parse)
            .orElse("idgen");
    static final Setting<Instant> EPOCH = Setting.of(
            "snowflake.epoch",
            "When the time in ids begins: an instant with its zone, or milliseconds since 1970. The layout's own if not set.",
            SnowflakeLayout::parseEpoch);
    static final Setting<ClockPolicy> CLOCK_POLICY = Setting.of(
                    "snowflake.clock-policy",
                    "What to do when the clock steps back: fail, wait:5ms, run-ahead:1s or reuse:2048, with any numbers.",
                    ClockPolicy::parse)
            .orElse("wait:5ms");
    static final Setting<Assigner> ASSIGNER = Setting.of(
                    "worker.assigner",
                    "Where the worker id comes from: fixed (idgen.worker.id), env, env:VARIABLE, property:NAME, ordinal (app-3),"
                            + " ip, ip:INTERFACE, mac, mac:INTERFACE, or single-process (there is no other process).",
                    Assigner::parse)
            .orElse("fixed");
    static final Setting<Long> WORKER_ID = Setting.of(
            "worker.id",
            "This process's worker id, a different one for each.",
            Setting.wholeNumber(0, Integer.MAX_VALUE));
    static final Setting<Long> DATACENTER_ID = Setting.of(
            "worker.datacenter-id",
            "This process's datacenter id; 0 if not set, or filled by ip and mac.",
            Setting.wholeNumber(0, Integer.MAX_VALUE));
    static final Setting<String> NAMESPACE = Setting.<String>of(
                    "worker.namespace",
                    "Within what worker ids differ; ids of two namespaces may be equal.",
                    SnowflakeStrategy::name)
            .orElse("default");

    /** All that decides which ids are made; equal for sources that share a generator. */
    private record Plan(SnowflakeLayout layout, ClockPolicy policy, String namespace, int datacenter, int worker) {}

    private final Host host;

    SnowflakeStrategy(Host host) {
        this.host = host;
    }

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
        Snowflake.checkCovers(plan.layout, now);
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

    private Plan plan(SourceContext context) {
        SnowflakeLayout named = context.get(LAYOUT);
        SnowflakeLayout layout = context.find(EPOCH).map(named::withEpoch).orElse(named);
        Optional<Integer> datacenter = context.find(DATACENTER_ID).map(Long::intValue);
        Optional<Integer> worker = context.find(WORKER_ID).map(Long::intValue);
        try {
            layout.machine(datacenter.orElse(0), 0);
        } catch (IllegalArgumentException e) {
            throw context.refusal(DATACENTER_ID, String.valueOf(e.getMessage()));
        }
        Assigner assigner = context.get(ASSIGNER);
        try {
            Assigner.Machine machine = assigner.assign(layout, datacenter, worker, host);
            return new Plan(
                    layout, context.get(CLOCK_POLICY), context.get(NAMESPACE), machine.datacenter(), machine.worker());
        } catch (IllegalArgumentException e) {
            throw context.refusal(worker.isPresent() ? WORKER_ID : ASSIGNER, String.valueOf(e.getMessage()));
        }
    }

    private static String name(String text) {
        if (text.isBlank() || text.length() > 64) {
            throw new IllegalArgumentException("a namespace is 1 to 64 characters and not blank, got '" + text + "'");
        }
        return text;
    }
}
