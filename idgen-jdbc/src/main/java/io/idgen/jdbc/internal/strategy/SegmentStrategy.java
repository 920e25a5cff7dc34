package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.SegmentTable;
import io.idgen.jdbc.internal.sql.CounterTable;
import io.idgen.jdbc.internal.sql.SqlName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** {@code segment}: each source uses a row of the segment table. A few shared threads refill all sources. */
public final class SegmentStrategy extends TableStrategy {
    private static final Setting<Integer> STEP = Setting.of(
                    "segment.step",
                    "How many ids the first refill fetches; later refills fetch as many as the reserve needs.",
                    steps())
            .withDefault("1000");
    private static final Setting<Integer> MAX_STEP = Setting.of(
                    "segment.max-step",
                    "The largest number of ids that a refill fetches; a crash loses the ids of up to two refills.",
                    steps())
            .withDefault("10000000");
    private static final Setting<Duration> RESERVE = Setting.<Duration>of(
                    "segment.reserve",
                    "How long the reserved ids last during a database outage, at the current rate.",
                    Setting.duration(Duration.ZERO, Duration.ofDays(1)))
            .withDefault("60s");
    private static final Setting<Boolean> THREAD_ORDER = Setting.of(
                    "segment.order",
                    "The order of ids: process (ids increase from call to call) or thread (each thread reserves up to 256 ids, which is several"
                            + " times as fast; ids of different threads are not in order, and a shutdown loses the reserved ids).",
                    SegmentStrategy::isThread)
            .withDefault("process");
    private static final Setting<SqlName> TABLE = Setting.of(
            "segment.table",
            "The segment table, optionally with its schema; the default is idgen_segment.",
            text -> SqlName.parse(text, 1, 3));

    /** Called by the service loader. */
    public SegmentStrategy() {
        super(CounterTable.SEGMENT.strategy(), List.of(STEP, MAX_STEP, RESERVE, THREAD_ORDER, TABLE));
    }

    @Override
    void check(SourceContext context) {
        if (context.get(STEP) > context.get(MAX_STEP)) {
            throw context.refusal(
                    STEP, "must be at most " + context.get(MAX_STEP) + ", the largest step, got " + context.get(STEP));
        }
    }

    @Override
    List<SourceTable> tables(SourceContext context) {
        return context.find(TABLE).isPresent() ? List.of() : JdbcAccess.tables(context, CounterTable.SEGMENT.suffix());
    }

    @Override
    Access access(SourceContext context) {
        JdbcAccess database = JdbcAccess.of(context);
        Optional<SqlName> other = context.find(TABLE);
        SegmentTable table = configured(
                        new SegmentTable(other.isPresent() ? database.dataSource() : database.withSchema()),
                        other.map(SqlName::toString).orElseGet(() -> database.table(CounterTable.SEGMENT.suffix())),
                        context.get(JdbcAccess.TIMEOUT),
                        context)
                .withStep(context.get(STEP));
        return new Access(table, database);
    }

    @Override
    SegmentIdSource.Builder configured(SegmentIdSource.Builder builder, SourceContext context) {
        SegmentIdSource.Builder stepped =
                builder.step(context.get(STEP)).maxStep(context.get(MAX_STEP)).reserve(context.get(RESERVE));
        return context.get(THREAD_ORDER) ? stepped.threadOrder() : stepped;
    }

    private static Function<String, Integer> steps() {
        return Setting.wholeNumber(1, 1_000_000_000).andThen(Long::intValue);
    }

    private static boolean isThread(String text) {
        return switch (text.strip()) {
            case "thread" -> true;
            case "process" -> false;
            default -> throw new IllegalArgumentException("must be process or thread, got '" + text + "'");
        };
    }
}
