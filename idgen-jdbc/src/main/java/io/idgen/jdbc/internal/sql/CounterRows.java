package io.idgen.jdbc.internal.sql;

/** The names of idgen's counters: one table, with one row per name. Sources, the doctor and repairs use them. */
public final class CounterRows {
    /** The name of the table without its prefix. */
    public static final String TABLE = "counter";

    /**
     * The period of a reach: ten minutes, twice the lag that a replica may have. The column {@code win} is the end of
     * the current period, and {@code used} is how many ids were granted in it.
     */
    public static final long PERIOD_MILLIS = 600_000;

    /**
     * How far ahead the end of a period is at most: a period and a lag. A period that ends later is void, because the
     * clock was ahead when it began, and has come back.
     *
     * <p>This does not weaken the reach. By the fault model, no lag contains a step of the clock by more than its own
     * five minutes, so no lag contains both the begin of a period and the step that makes it void. A takeover can
     * therefore still lack the grants of at most two periods.
     */
    public static final long MOST_AHEAD_MILLIS = PERIOD_MILLIS * 3 / 2;

    private CounterRows() {}

    /** Returns the table's name, which begins with a prefix. */
    public static SqlName named(String prefix) {
        return SqlName.parse(prefix + TABLE, 1, 3);
    }

    /** Returns transactions on the table with a name. Opens no connection. */
    public static Transactions in(Transactions transactions, SqlName name) {
        return transactions.on(name, SchemaScript.PREFIX + TABLE);
    }
}
