package io.idgen.jdbc.internal;

import io.idgen.core.IdSource;
import io.idgen.core.IdStrategy;
import io.idgen.core.SegmentAllocator;
import io.idgen.core.SegmentIdSource;
import io.idgen.core.Setting;
import io.idgen.core.SourceContext;
import io.idgen.jdbc.SegmentTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** {@code segment}: each source a row of the segment table, all refilled by the same few threads. */
public final class SegmentStrategy implements IdStrategy {
    private static final Setting<Long> STEP = Setting.of(
                    "segment.step",
                    "How many ids one refill fetches; a crash loses up to two steps.",
                    Setting.wholeNumber(1, 1_000_000_000))
            .orElse("1000");
    private static final Setting<SqlName> TABLE = Setting.of(
                    "segment.table",
                    "The segment table, with its schema if need be.",
                    text -> SqlName.parse(text, 1, 3))
            .orElse(SegmentTable.DEFAULT_TABLE);
    private static final Setting<Long> MAX_WAITERS = Setting.of(
                    "segment.max-waiters",
                    "How many threads may wait for one source's refill at once.",
                    Setting.wholeNumber(1, 1_000_000))
            .orElse("10000");
    private static final Setting<Duration> ACQUIRE_TIMEOUT = Setting.<Duration>of(
                    "acquire-timeout",
                    "How long a call may wait for an id.",
                    Setting.duration(Duration.ofMillis(1), Duration.ofDays(1)))
            .orElse("3s");
    private static final Setting<Long> START = Setting.ofSource(
            "start", "The first id of a name that has no row yet.", Setting.wholeNumber(1, Long.MAX_VALUE - 1));
    private static final Setting<Long> LIMIT = Setting.<Long>ofSource(
                    "limit",
                    "All ids are below this number: 2147483648 for an INT column, 9007199254740992 for JavaScript.",
                    Setting.wholeNumber(2, Long.MAX_VALUE))
            .orElse(Long.toString(Long.MAX_VALUE));
    private static final Setting<List<SqlName>> ADOPT = Setting.ofSource(
            "adopt",
            "A column, table.column, or several with commas between; a name that has no row yet begins above their largest value.",
            SegmentStrategy::columns);

    /** Made by the service loader. */
    public SegmentStrategy() {}

    @Override
    public String name() {
        return "segment";
    }

    @Override
    public List<Setting<?>> settings() {
        List<Setting<?>> settings =
                new ArrayList<>(List.of(STEP, TABLE, MAX_WAITERS, ACQUIRE_TIMEOUT, START, LIMIT, ADOPT));
        settings.addAll(JdbcAccess.SETTINGS);
        return settings;
    }

    @Override
    public long largestId(SourceContext context) {
        JdbcAccess.check(context);
        return context.get(LIMIT) - 1;
    }

    @Override
    public IdSource open(SourceContext context) {
        JdbcAccess access = JdbcAccess.of(context);
        SegmentTable table = table(context, access);
        boolean ownTable = context.get(TABLE).toString().equals(SegmentTable.DEFAULT_TABLE);
        SegmentAllocator allocator = (name, wanted) -> {
            if (ownTable) {
                access.ensureSchema();
            }
            return table.allocate(name, wanted);
        };
        return SegmentIdSource.builder(allocator, context.name())
                .step(context.get(STEP).intValue())
                .acquireTimeout(context.get(ACQUIRE_TIMEOUT))
                .maxWaiters(context.get(MAX_WAITERS).intValue())
                .refills(access.refills())
                .build();
    }

    private static SegmentTable table(SourceContext context, JdbcAccess access) {
        SegmentTable table = new SegmentTable(access.dataSource())
                .inTable(context.get(TABLE).toString())
                .withTimeout(context.get(JdbcAccess.TIMEOUT))
                .below(context.get(LIMIT));
        Optional<Long> start = context.find(START);
        if (start.isPresent()) {
            table = table.startingAt(start.get());
        }
        for (SqlName column : context.find(ADOPT).orElse(List.of())) {
            table = table.adopting(column.toString());
        }
        return table;
    }

    private static List<SqlName> columns(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(column -> SqlName.parse(column, 2, 4))
                .toList();
    }
}
