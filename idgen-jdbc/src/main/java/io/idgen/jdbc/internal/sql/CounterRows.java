package io.idgen.jdbc.internal.sql;

import java.util.List;

/** The names of idgen's counters: one table, with one row per name. Sources, the doctor and repairs use them. */
public final class CounterRows {
    /** The name of the table without its prefix. */
    public static final String TABLE = "counter";

    /**
     * The period of a reach: ten minutes, twice the lag that a replica may have. The column {@code win} is the end of
     * the current period, and {@code used} is how many ids were granted in it.
     */
    public static final long PERIOD_MILLIS = 600_000;

    private CounterRows() {}

    /** Returns the table's name, which begins with a prefix. */
    public static SqlName named(String prefix) {
        return SqlName.parse(prefix + TABLE, 1, 3);
    }

    /** Returns transactions on the table with a name. Opens no connection. */
    public static Transactions in(Transactions transactions, SqlName name) {
        return transactions.on(name, SchemaScript.PREFIX + TABLE);
    }

    /** Returns a trial to change the rows, as allocations do. */
    public static ChangeTrial trial(Transactions transactions, String prefix) {
        return new ChangeTrial(
                in(transactions, named(prefix)),
                List.of("name"),
                List.of("next_id", "server_id", "reach", "win", "used"));
    }
}
