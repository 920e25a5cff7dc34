package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.Counters;
import io.idgen.jdbc.NativeSequence;
import io.idgen.jdbc.NativeSequence.ValueIs;
import io.idgen.jdbc.internal.sql.SqlName;
import java.util.List;
import java.util.Optional;

/** {@code native-sequence}: each source uses a sequence of the database. */
public final class NativeSequenceStrategy extends TableStrategy {
    private static final Setting<SqlName> SEQUENCE = Setting.ofSource(
            "sequence",
            "The database sequence of the strategy native-sequence; the default is the source's name followed by _seq.",
            text -> SqlName.parse(text, 1, 2));
    private static final Setting<Integer> INCREMENT = Setting.<Integer>ofSource(
                    "increment",
                    "The increment of that sequence; each value stands for a block of this many ids.",
                    Setting.integer(1, 1_000_000))
            .withDefault("1");
    private static final Setting<ValueIs> VALUE_IS = Setting.ofSource(
            "value-is",
            "Which id of its block a value of the sequence is, if the increment is above 1: first (as in Hibernate's pooled-lo) or last (as in"
                    + " Hibernate's default, pooled).",
            Setting.oneOf(ValueIs.class));

    /** Called by the service loader. */
    public NativeSequenceStrategy() {
        super("native-sequence", List.of(SEQUENCE, INCREMENT, VALUE_IS));
    }

    @Override
    void check(SourceContext context) {
        sequence(context);
        if (context.get(INCREMENT) > 1) {
            context.get(VALUE_IS); // no default: two processes that differ here would generate equal ids
        }
    }

    /** A sequence has a start of its own, so the largest id of all tenants is not needed. */
    @Override
    void checkDatabase(SourceContext context) {
        JdbcSettings.check(context);
    }

    @Override
    List<SourceTable> tables(SourceContext context) {
        return List.of();
    }

    @Override
    List<Counters> counters(SourceContext context) {
        return List.of();
    }

    /** Returns the statement after which the next ids of a source are above an id. */
    static String restart(SourceContext context, long largest) {
        boolean isLast = context.get(INCREMENT) > 1 && context.get(VALUE_IS) == ValueIs.LAST;
        return "ALTER SEQUENCE " + sequence(context) + " RESTART WITH "
                + (largest + (isLast ? context.get(INCREMENT) : 1));
    }

    private static String sequence(SourceContext context) {
        Optional<SqlName> named = context.find(SEQUENCE);
        if (named.isPresent()) {
            return named.get().toString();
        }
        try {
            return SqlName.parse(context.name() + "_seq", 1, 2).toString();
        } catch (IllegalArgumentException e) {
            throw context.refusal(
                    SEQUENCE,
                    "'" + context.name()
                            + "_seq' is not a valid sequence name; set this to a sequence of the database");
        }
    }

    @Override
    SegmentAllocator allocator(SourceContext context) {
        NativeSequence sequence = new NativeSequence(database(context).dataSource(), sequence(context))
                .withTimeout(context.get(JdbcSettings.TIMEOUT))
                .below(context.limit());
        int increment = context.get(INCREMENT);
        return increment == 1 ? sequence : sequence.inBlocks(increment, context.get(VALUE_IS));
    }
}
