package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.dialect.Counter;
import io.idgen.jdbc.dialect.Counter.Guard;
import io.idgen.jdbc.internal.sql.OwnTable;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

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
    void takeOver(String name, List<String> columns, RowTable.Row row) {
        long lift = lift(columns, row);
        if (row.next() > options.limit() - lift) {
            throw TableAllocator.limitReached(
                    name,
                    options.limit(),
                    counter.column() + " in " + table + " is " + row.next()
                            + " and another server granted that; this one has to skip " + lift
                            + " ids, twice the row's reach, which it may lack");
        }
        int step = columns.indexOf("step");
        long reach = options.reachOr(step < 0 ? 1 : row.number(step));
        String which = which(columns, row);
        boolean done =
                set(name, which, row.next(), row.next() + lift, ", reach = COALESCE(reach, " + reach + ")", false);
        if (done && lift > 0) {
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
    void aboveMark(String name, List<String> columns, Optional<RowTable.Row> row, long atLeast) {
        String fact = row.map(found -> counter.column() + " of '" + name + "' in " + table + " is " + found.next())
                        .orElse("the row of '" + name + "' in " + table + " is gone")
                + ", and this process has raised it to " + atLeast + "; it was restored, truncated or edited: ";
        long lift = row.map(found -> lift(columns, found)).orElse(0L);
        if (row.isEmpty() || !row.get().isOurs() || lift == 0 || atLeast > options.limit() - lift) {
            throw new AllocationException(
                    ErrorCode.SEGMENT_WENT_BACK,
                    fact + "stop all writers, give the row a " + counter.column()
                            + " above all ids in use and of at least " + atLeast + ", and start again");
        }
        if (set(name, which(columns, row.get()), row.get().next(), atLeast + lift, "", true)) {
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
    private long lift(List<String> columns, RowTable.Row row) {
        int instances = columns.indexOf("instances");
        return 2 * row.reach() * (instances < 0 ? counter.stride() : row.number(instances));
    }

    /** Returns the condition for this row of several with the same name. */
    private String which(List<String> columns, RowTable.Row row) {
        return counter.keys().stream()
                .filter(columns::contains)
                .map(key -> " AND " + key + " = " + row.number(columns.indexOf(key)))
                .collect(Collectors.joining());
    }

    /** Sets a row if its number is still {@code before}, and this ({@code isOurs}) or another server granted it. */
    private boolean set(String name, String which, long before, long after, String more, boolean isOurs) {
        return table.in(RowTable.purpose(name, table), (connection, dialect) -> {
            Guard guard = Objects.requireNonNull(guarded.in(connection, dialect).guard());
            String sql = "UPDATE " + table + " SET " + counter.column() + " = ?" + more + ", server_id = "
                    + guard.server() + " WHERE " + counter.keys().get(0) + " = ?" + which + " AND " + counter.column()
                    + " = ? AND (" + (isOurs ? "" : "reach IS NULL OR server_id IS NULL OR ")
                    + "server_id " + (isOurs ? "= " : "<> ") + guard.server() + ")"
                    + dialect.durableCommit().map(" AND "::concat).orElse("");
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setLong(1, after);
                int next = guard.setServer(statement, 2);
                statement.setString(next++, name);
                statement.setLong(next++, before);
                guard.setServer(statement, next);
                return statement.executeUpdate() > 0;
            }
        });
    }
}
