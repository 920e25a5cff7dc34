package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.segment.SegmentIdSource;
import java.time.Duration;
import java.util.List;

/** {@code segment}: each source takes from its row ahead of demand. A few shared threads refill all sources. */
public final class SegmentStrategy extends TableStrategy {
    private static final Setting<Integer> STEP = Setting.of(
                    "segment.step",
                    "How many ids the first refill fetches; later refills fetch as many as the reserve needs.",
                    Setting.integer(1, 1_000_000_000))
            .withDefault("1000");
    private static final Setting<Duration> RESERVE = Setting.<Duration>of(
                    "segment.reserve",
                    "How long the reserved ids last during a database outage, at the current rate.",
                    Setting.duration(Duration.ZERO, Duration.ofDays(1)))
            .withDefault("60s");
    private static final Setting<Order> ORDER = Setting.<Order>of(
                    "segment.order",
                    "The order of ids: process (ids increase from call to call) or thread (each thread reserves up to 256 ids, which is several"
                            + " times as fast; ids of different threads are not in order, and a shutdown loses the reserved ids).",
                    Setting.oneOf(Order.class))
            .withDefault("process");

    private enum Order {
        PROCESS,
        THREAD
    }

    /** Called by the service loader. */
    public SegmentStrategy() {
        super("segment", List.of(STEP, RESERVE, ORDER));
    }

    @Override
    SegmentIdSource.Builder configured(SegmentIdSource.Builder builder, SourceContext context) {
        SegmentIdSource.Builder stepped = builder.step(context.get(STEP)).reserve(context.get(RESERVE));
        return context.get(ORDER) == Order.THREAD ? stepped.threadOrder() : stepped;
    }
}
