package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.jdbc.NativeSequence;
import io.idgen.jdbc.NativeSequence.ValueIs;
import io.idgen.jdbc.internal.sql.SqlName;
import java.util.List;
import java.util.Optional;

/** {@code native-sequence}: each source a sequence of the database. */
public final class NativeSequenceStrategy extends TableStrategy {
    private static final Setting<SqlName> SEQUENCE = Setting.ofSource(
            "sequence",
            "The database's sequence for the strategy native-sequence; the source's name with _seq behind it if not given.",
            text -> SqlName.parse(text, 1, 2));
    private static final Setting<Integer> INCREMENT = Setting.<Integer>ofSource(
                    "increment",
                    "By how much that sequence increases; each value then stands for a block of so many ids.",
                    Setting.wholeNumber(1, 1_000_000).andThen(Long::intValue))
            .withDefault("1");
    private static final Setting<ValueIs> VALUE_IS = Setting.ofSource(
            "value-is",
            "Which id of its block a value is, for an increment above 1: first (as Hibernate's pooled-lo has it) or last (as its"
                    + " pooled, the default, has it).",
            NativeSequenceStrategy::valueIs);

    /** Made by the service loader. */
    public NativeSequenceStrategy() {
        super(List.of(SEQUENCE, INCREMENT, VALUE_IS));
    }

    @Override
    public String name() {
        return "native-sequence";
    }

    private static ValueIs valueIs(String text) {
        return switch (text.strip()) {
            case "first" -> ValueIs.FIRST;
            case "last" -> ValueIs.LAST;
            default -> throw new IllegalArgumentException("first or last is expected, got '" + text + "'");
        };
    }

    @Override
    void check(SourceContext context) {
        super.check(context);
        sequence(context);
        if (context.get(INCREMENT) > 1) {
            context.get(VALUE_IS); // not to be guessed: the two readings give the same ids
        }
    }

    private static String sequence(SourceContext context) {
        Optional<SqlName> named = context.find(SEQUENCE);
        if (named.isPresent()) {
            return named.get().toString();
        }
        try {
            return SqlName.parse(context.name() + "_seq", 1, 2).toString();
        } catch (IllegalArgumentException e) {
            throw context.refusal(SEQUENCE, "no sequence can be called " + context.name() + "_seq; name one");
        }
    }

    @Override
    Access access(SourceContext context) {
        JdbcAccess database = JdbcAccess.of(context);
        NativeSequence sequence = new NativeSequence(database.dataSource())
                .named(sequence(context))
                .withTimeout(context.get(JdbcAccess.TIMEOUT))
                .below(context.get(LIMIT));
        return new Access(
                context.get(INCREMENT) == 1
                        ? sequence
                        : sequence.inBlocks(context.get(INCREMENT), context.get(VALUE_IS)),
                database);
    }
}
