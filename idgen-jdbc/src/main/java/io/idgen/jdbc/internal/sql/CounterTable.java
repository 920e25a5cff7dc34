package io.idgen.jdbc.internal.sql;

import io.idgen.jdbc.dialect.Counter.Guard;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of counters, with one row per source. Allocators, the doctor and repairs use these names. */
public enum CounterTable {
    SEGMENT("segment", "segment", "max_id", "biz_tag", List.of(), null, null),
    SEQUENCE("sequence", "sequence-table", "next_id", "table_name", List.of(), null, null),
    STEPPED("stepped", "stepped", "next_id", "seq_name", List.of("generation"), "instances", "id_limit");

    /** The limit of a stepped row from which no id may be granted until the set of databases has grown: {@value}. */
    public static final long NOT_OPEN = 1;

    private final String suffix;
    private final String strategy;
    private final String number;
    private final String source;
    private final List<String> moreKeys;
    private final @Nullable String stride;
    private final @Nullable String limit;

    CounterTable(
            String suffix,
            String strategy,
            String number,
            String source,
            List<String> moreKeys,
            @Nullable String stride,
            @Nullable String limit) {
        this.suffix = suffix;
        this.strategy = strategy;
        this.number = number;
        this.source = source;
        this.moreKeys = moreKeys;
        this.stride = stride;
        this.limit = limit;
    }

    /** Returns the end of the table's name, which is also the word for one of its counters. */
    public String suffix() {
        return suffix;
    }

    /** Returns the table's name, which begins with a prefix. */
    public SqlName named(String prefix) {
        return SqlName.parse(prefix + suffix, 1, 3);
    }

    /** Returns access to the table of a database, whose name begins with a prefix. Opens no connection. */
    public OwnTable in(Transactions transactions, String prefix) {
        return new OwnTable(transactions, named(prefix), SchemaScript.PREFIX + suffix);
    }

    /**
     * Returns a trial to change the rows, as allocations do.
     *
     * @param guarded whether the table has the columns of {@link Guard}
     */
    public ChangeTrial trial(Transactions transactions, String prefix, boolean guarded) {
        List<String> keys = Stream.concat(Stream.of(source), moreKeys.stream()).toList();
        List<String> columns = Stream.concat(Stream.of(number), (guarded ? Guard.COLUMNS : List.<String>of()).stream())
                .toList();
        return new ChangeTrial(in(transactions, prefix), keys, columns);
    }

    /** Returns the strategy that uses the table. */
    public String strategy() {
        return strategy;
    }

    /** Returns the column that allocations raise. */
    public String number() {
        return number;
    }

    /** Returns the column with the name of the source. */
    public String source() {
        return source;
    }

    /** Returns the further columns of the primary key, which contain numbers. */
    public List<String> moreKeys() {
        return moreKeys;
    }

    /** Returns the column, or the number, by which the counter rises for one id. */
    public String stride() {
        return stride == null ? "1" : stride;
    }

    /** Returns the column with the number below which ids stay; null if the table has none. */
    public @Nullable String limit() {
        return limit;
    }
}
