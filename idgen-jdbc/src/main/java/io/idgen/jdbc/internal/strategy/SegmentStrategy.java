package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.SegmentTable;
import io.idgen.jdbc.internal.sql.SqlName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** {@code segment}: each source a row of the segment table, all refilled by the same few threads. */
public final class SegmentStrategy extends TableStrategy {
    private static final Setting<Integer> STEP = Setting.of(
                    "segment.step",
                    "How many ids the first refill fetches; later ones fetch what the reserve needs.",
                    steps())
            .withDefault("1000");
    private static final Setting<Integer> MIN_STEP = Setting.of(
            "segment.min-step",
            "How many ids a refill fetches at least, and the step of new rows; idgen.segment.step if not given.",
            steps());
    private static final Setting<Integer> MAX_STEP = Setting.of(
                    "segment.max-step",
                    "How many ids a refill fetches at most; a crash loses up to two refills.",
                    steps())
            .withDefault("10000000");
    private static final Setting<Double> PRELOAD = Setting.of(
                    "segment.preload",
                    "How much of a segment is used before the next is fetched, from 0 to below 1; 0 always keeps a full one in"
                            + " reserve, 0.1 is Leaf's.",
                    SegmentStrategy::fraction)
            .withDefault("0");
    private static final Setting<Duration> RESERVE = Setting.<Duration>of(
                    "segment.reserve",
                    "For how long the ids in reserve shall last while the database is away, at the rate at which they go out.",
                    Setting.duration(Duration.ZERO, Duration.ofDays(1)))
            .withDefault("60s");
    private static final Setting<Boolean> THREAD_ORDER = Setting.of(
                    "segment.order",
                    "In what order ids rise: process (from call to call) or thread (threads take up to 256 ids ahead, which is several"
                            + " times as fast; between threads there is no order, and a stop loses what they had taken).",
                    SegmentStrategy::isThread)
            .withDefault("process");
    private static final Setting<SqlName> TABLE = Setting.of(
            "segment.table",
            "The segment table, with its schema if need be; idgen_segment if not given.",
            text -> SqlName.parse(text, 1, 3));

    private static final String OWN_TABLE = "segment";

    /** Made by the service loader. */
    public SegmentStrategy() {
        super(List.of(STEP, MIN_STEP, MAX_STEP, PRELOAD, RESERVE, THREAD_ORDER, TABLE));
    }

    @Override
    public String name() {
        return "segment";
    }

    @Override
    void check(SourceContext context) {
        super.check(context);
        if (minStep(context) > context.get(STEP)) {
            throw context.refusal(
                    MIN_STEP, "at least " + minStep(context) + " is above the step, " + context.get(STEP));
        }
        if (context.get(STEP) > context.get(MAX_STEP)) {
            throw context.refusal(
                    STEP, context.get(STEP) + " is above the most that a refill fetches, " + context.get(MAX_STEP));
        }
    }

    @Override
    List<SourceTable> tables(SourceContext context) {
        return context.find(TABLE).isPresent() ? List.of() : JdbcAccess.tables(context, OWN_TABLE);
    }

    @Override
    Access access(SourceContext context) {
        JdbcAccess database = JdbcAccess.of(context);
        Optional<SqlName> other = context.find(TABLE);
        SegmentTable table = configured(
                        new SegmentTable(other.isPresent() ? database.dataSource() : database.withSchema()),
                        other.map(SqlName::toString).orElseGet(() -> database.table(OWN_TABLE)),
                        context.get(JdbcAccess.TIMEOUT),
                        context)
                .withStep(minStep(context));
        return new Access(table, database);
    }

    @Override
    SegmentIdSource.Builder configured(SegmentIdSource.Builder builder, SourceContext context) {
        SegmentIdSource.Builder stepped = builder.step(context.get(STEP))
                .minStep(minStep(context))
                .maxStep(context.get(MAX_STEP))
                .preload(context.get(PRELOAD))
                .reserve(context.get(RESERVE));
        return context.get(THREAD_ORDER) ? stepped.threadOrder() : stepped;
    }

    private static int minStep(SourceContext context) {
        return context.find(MIN_STEP).orElseGet(() -> context.get(STEP));
    }

    private static Function<String, Integer> steps() {
        return Setting.wholeNumber(1, 1_000_000_000).andThen(Long::intValue);
    }

    private static boolean isThread(String text) {
        return switch (text.strip()) {
            case "thread" -> true;
            case "process" -> false;
            default -> throw new IllegalArgumentException("process or thread is expected, got '" + text + "'");
        };
    }

    private static double fraction(String text) {
        try {
            double fraction = Double.parseDouble(text.strip());
            if (fraction >= 0 && fraction < 1) {
                return fraction;
            }
        } catch (NumberFormatException e) {
            // one message for what is no number and what is out of range, below
        }
        throw new IllegalArgumentException("a number from 0 to below 1 is expected, got '" + text + "'");
    }
}
