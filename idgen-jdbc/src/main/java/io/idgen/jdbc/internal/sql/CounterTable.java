package io.idgen.jdbc.internal.sql;

import io.idgen.jdbc.dialect.Counter.Guard;
import java.util.List;
import java.util.stream.Stream;

/** The tables of counters, with one row per source. Allocators, the doctor and repairs use these names. */
public enum CounterTable {
    SEGMENT("segment", "segment", "max_id", "biz_tag", "1"),
    SEQUENCE("sequence", "sequence-table", "next_id", "table_name", "1"),
    STEPPED("stepped", "stepped", "next_id", "seq_name", "instances");

    private final String suffix;
    private final String strategy;
    private final String number;
    private final String source;
    private final String stride;

    CounterTable(String suffix, String strategy, String number, String source, String stride) {
        this.suffix = suffix;
        this.strategy = strategy;
        this.number = number;
        this.source = source;
        this.stride = stride;
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
        List<String> columns = Stream.concat(Stream.of(number), (guarded ? Guard.COLUMNS : List.<String>of()).stream())
                .toList();
        return new ChangeTrial(in(transactions, prefix), List.of(source), columns);
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

    /** Returns the column, or the number, by which the counter rises for one id. */
    public String stride() {
        return stride;
    }
}
