package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.internal.sql.OwnTable;
import io.idgen.jdbc.internal.text.SqlText;
import java.util.Objects;
import java.util.Optional;

/** Raises a row that does not show all ids that were granted, after a takeover or a restore, by twice its reach. */
final class RowLift {
    private final OwnTable table;
    private final Counter counter;
    private final GuardedCounter guarded;
    private final TableAllocator.Options options;

    RowLift(OwnTable table, Counter counter, GuardedCounter guarded, TableAllocator.Options options) {
        this.table = table;
        this.counter = counter;
        this.guarded = guarded;
        this.options = options;
    }

    /**
     * Makes this server the one that grants, and raises the row above all grants of the other server that it may lack.
     * A row without a reach was created by hand and has granted nothing yet.
     */
    void takeOver(String name, RowTable.Row row) {
        long lift = lift(row);
        if (row.next() > options.limit - lift) {
            throw TableAllocator.limitReached(
                    name,
                    options.limit,
                    counter.column() + " in " + table + " is " + row.next()
                            + " and another server granted that; this one has to skip " + lift
                            + " ids, twice the row's reach, which it may lack");
        }
        if (set(name, row, row.next() + lift) && lift > 0) {
            System.getLogger(RowLift.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "ids of ''{0}'' in {1} go on at {2}: another server granted those below {3}, and this one may lack the last"
                                    + " {4} of them",
                            name,
                            table,
                            String.valueOf(row.next() + lift),
                            String.valueOf(row.next()),
                            String.valueOf(lift));
        }
    }

    /** Raises a row that was set back above the mark of this process and all later grants to other processes. */
    void aboveMark(String name, Optional<RowTable.Row> row, long atLeast) {
        String fact = row.map(found -> counter.column() + " of '" + name + "' in " + table + " is " + found.next())
                        .orElse("the row of '" + name + "' in " + table + " is gone")
                + ", and this process has raised it to " + atLeast + "; it was restored, truncated or edited: ";
        long lift = row.map(this::lift).orElse(0L);
        if (row.isEmpty() || !row.get().isOurs() || lift == 0 || atLeast > options.limit - lift) {
            throw new AllocationException(
                    ErrorCode.SEGMENT_WENT_BACK,
                    fact + "stop all writers, give the row a " + counter.column()
                            + " above all ids in use and of at least " + atLeast + ", and start again");
        }
        if (set(name, row.get(), atLeast + lift)) {
            System.getLogger(RowLift.class.getName())
                    .log(
                            System.Logger.Level.ERROR,
                            "{0} {1}ids go on at {2}, twice the row''s reach higher; processes that had not used the row before may have"
                                    + " repeated ids below {3}: look for them",
                            ErrorCode.SEGMENT_WENT_BACK.code(),
                            fact,
                            String.valueOf(atLeast + lift),
                            String.valueOf(atLeast));
        }
    }

    /** Returns twice the reach. A row of another set of databases keeps the remainder of its own instance. */
    private long lift(RowTable.Row row) {
        return 2 * row.reach() * row.numbers().getOrDefault("instances", counter.stride());
    }

    /**
     * Sets the number of a row that has not changed since it was read. A row of another server becomes one of this
     * server.
     */
    private boolean set(String name, RowTable.Row row, long after) {
        return table.in(RowTable.purpose(name, table), (connection, dialect) -> {
            SqlText server = RowTable.server(
                    Objects.requireNonNull(guarded.in(connection, dialect).guard()));
            SqlText update = new SqlText("UPDATE " + table).set(counter.column() + " = ?", after);
            if (!row.isOurs()) {
                long reach = options.reachOr(row.numbers().getOrDefault("step", 1L));
                update.set("reach = COALESCE(reach, " + reach + ")");
            }
            update.set(new SqlText("server_id = ").add(server))
                    .where(counter.keys().get(0) + " = ?", name);
            counter.keys().stream().skip(1).forEach(key -> update.where(key + " = " + row.number(key)));
            return update.where(counter.column() + " = ?", row.next())
                            .where(new SqlText(
                                            row.isOurs()
                                                    ? "(server_id = "
                                                    : "(reach IS NULL OR server_id IS NULL OR server_id <> ")
                                    .add(server)
                                    .add(")"))
                            .where(dialect.durableCommit())
                            .update(connection)
                    > 0;
        });
    }
}
