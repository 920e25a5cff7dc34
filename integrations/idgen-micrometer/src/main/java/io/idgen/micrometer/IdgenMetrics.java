package io.idgen.micrometer;

import io.idgen.core.SegmentSnapshot;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.config.IdSources;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the sources of an {@link IdSources}: ids, refills, waits, leases, windows, outages, health.
 *
 * <pre>{@code
 * new IdgenMetrics(sources).bindTo(registry);
 * }</pre>
 *
 * <p>Meters read {@link IdSources#snapshot snapshots} when the registry asks for a value, so they cost nothing when an
 * id is generated. Each has the tag {@value #SOURCE} with the name of the source. They exist from the binding on;
 * before the source is open, gauges are NaN and counters 0. Sources that share one snowflake generator report its
 * values each: take their maximum, not their sum.
 *
 * <p>{@code docs/metrics.md} lists the meters, and when to alert. Immutable and safe for many threads.
 */
public final class IdgenMetrics implements MeterBinder {
    /** The tag with the name of the source: {@value}. */
    public static final String SOURCE = "idgen.source";

    private final IdSources sources;
    private final String prefix;

    /**
     * Creates a binder.
     *
     * @param sources the sources; the registry holds them weakly
     */
    public IdgenMetrics(IdSources sources) {
        this(sources, "");
    }

    private IdgenMetrics(IdSources sources, String prefix) {
        this.sources = Objects.requireNonNull(sources);
        this.prefix = Objects.requireNonNull(prefix);
    }

    /**
     * Returns a binder whose tags with the name of the source begin with a prefix. It distinguishes several {@code
     * IdSources} of one process.
     *
     * @param newPrefix for example {@code "warehouse."}
     * @return a copy
     */
    public IdgenMetrics withPrefix(String newPrefix) {
        return new IdgenMetrics(sources, newPrefix);
    }

    /**
     * Registers the meters of all sources that have a name so far. Opens no source. Call it when all names are known.
     *
     * @param registry the registry
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        for (String name : sources.names()) {
            bindAny(new Meters<>(registry, name, SourceSnapshot.class));
            boolean snowflake = sources.snapshot(name) instanceof SnowflakeSnapshot
                    || sources.strategy(name).equals("snowflake");
            if (snowflake) {
                bindSnowflake(new Meters<>(registry, name, SnowflakeSnapshot.class));
            } else {
                bindSegments(new Meters<>(registry, name, SegmentSnapshot.class));
            }
        }
    }

    private void bindAny(Meters<SourceSnapshot> meters) {
        meters.gauge(
                "idgen.health",
                null,
                "1 if the source is up, 0.5 if it is degraded (its ids come from the reserve), 0 if it is down",
                snapshot -> switch (snapshot.health()) {
                    case UP -> 1;
                    case DEGRADED -> 0.5;
                    case DOWN -> 0;
                });
        meters.timer(
                "idgen.acquire",
                "calls that had to wait for the database, and how long they waited",
                snapshot -> snapshot.waits().calls(),
                snapshot -> snapshot.waits().total());
        meters.gauge(
                "idgen.acquire.waiting",
                null,
                "calls that wait for the database now",
                snapshot -> snapshot.waits().waiting());
        meters.counter(
                "idgen.store.failures",
                null,
                "failed attempts to renew a lease or to fetch a segment",
                SourceSnapshot::failures);
        meters.timeGauge(
                "idgen.store.outage",
                "for how long these attempts have failed; 0 if the last one did not",
                snapshot -> {
                    SourceSnapshot.Outage outage = snapshot.outage();
                    return outage == null ? Duration.ZERO : outage.duration();
                });
    }

    private void bindSegments(Meters<SegmentSnapshot> meters) {
        meters.counter("idgen.ids", "ids", "ids that callers got", SegmentSnapshot::given);
        meters.gauge(
                "idgen.segment.remaining",
                "ids",
                "ids in memory: those of the segment in use and of the one in reserve",
                snapshot -> snapshot.current() + snapshot.spare());
        meters.timer(
                "idgen.segment.load",
                "segments that were fetched, and how long that took",
                SegmentSnapshot::refills,
                SegmentSnapshot::refillTime);
    }

    private void bindSnowflake(Meters<SnowflakeSnapshot> meters) {
        meters.gauge("idgen.worker.id", null, "the worker id; NaN without one", SnowflakeSnapshot::workerId);
        meters.gauge(
                "idgen.worker.datacenter.id",
                null,
                "the datacenter id; NaN without a worker id",
                SnowflakeSnapshot::datacenterId);
        meters.timeGauge(
                "idgen.worker.lease.remaining",
                "until the lease ends unless it is renewed; NaN without a lease",
                SnowflakeSnapshot::leaseLeft);
        meters.timeGauge(
                "idgen.worker.window.remaining",
                "for how long ids last if the database does not answer; NaN without a lease",
                SnowflakeSnapshot::windowLeft);
        meters.counter(
                "idgen.tick.waits",
                null,
                "how often calls waited for the next tick, since all ids of one were used",
                SnowflakeSnapshot::tickWaits);
        meters.timeGauge(
                "idgen.clock.lag",
                "by how much the time in ids lags, since the window has to last through an outage",
                SnowflakeSnapshot::lag);
        meters.timeGauge(
                "idgen.layout.exhaustion",
                "until the layout has no ids any more",
                snapshot -> snapshot.time() == null ? null : Duration.between(snapshot.time(), snapshot.layoutEnd()));
    }

    /** Registers the meters of one source. A value function is called only if there is a snapshot. */
    private final class Meters<S extends SourceSnapshot> {
        private final MeterRegistry registry;
        private final String name;
        private final Class<S> type;
        private final Tags tags;

        Meters(MeterRegistry registry, String name, Class<S> type) {
            this.registry = registry;
            this.name = name;
            this.type = type;
            this.tags = Tags.of(SOURCE, prefix + name);
        }

        void gauge(String meter, @Nullable String unit, String description, Function<S, @Nullable Number> value) {
            Gauge.builder(meter, sources, orNone(Double.NaN, value))
                    .baseUnit(unit)
                    .description(description)
                    .tags(tags)
                    .register(registry);
        }

        void timeGauge(String meter, String description, Function<S, @Nullable Duration> value) {
            TimeGauge.builder(meter, sources, TimeUnit.NANOSECONDS, orNone(Double.NaN, s -> nanos(value.apply(s))))
                    .description(description)
                    .tags(tags)
                    .register(registry);
        }

        void counter(String meter, @Nullable String unit, String description, Function<S, Number> value) {
            FunctionCounter.builder(meter, sources, orNone(0, value))
                    .baseUnit(unit)
                    .description(description)
                    .tags(tags)
                    .register(registry);
        }

        void timer(String meter, String description, Function<S, Number> count, Function<S, Duration> total) {
            ToDoubleFunction<IdSources> calls = orNone(0, count);
            ToDoubleFunction<IdSources> time = orNone(0, s -> nanos(total.apply(s)));
            FunctionTimer.builder(meter, sources, of -> (long) calls.applyAsDouble(of), time, TimeUnit.NANOSECONDS)
                    .description(description)
                    .tags(tags)
                    .register(registry);
        }

        /**
         * Returns a function for the value of a snapshot, with NaN for null, or for a given value without a snapshot.
         * Holds no reference to the sources.
         */
        private ToDoubleFunction<IdSources> orNone(double none, Function<S, ? extends @Nullable Number> value) {
            String source = name;
            Class<S> wanted = type;
            return of -> {
                SourceSnapshot snapshot = of.snapshot(source);
                Number number = wanted.isInstance(snapshot) ? value.apply(wanted.cast(snapshot)) : (Number) none;
                return number == null ? Double.NaN : number.doubleValue();
            };
        }
    }

    private static @Nullable Double nanos(@Nullable Duration duration) {
        return duration == null ? null : duration.getSeconds() * 1e9 + duration.getNano();
    }
}
