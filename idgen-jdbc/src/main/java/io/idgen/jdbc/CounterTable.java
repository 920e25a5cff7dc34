package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.dialect.Dialect.Returning;
import io.idgen.jdbc.dialect.Failure;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.internal.text.SqlText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The statements on the rows of counters in one database, and how far this process has raised each row. Until the
 * process hands ids back, a row stays at or above that mark: one below it was restored, truncated or edited.
 *
 * <p>The server in {@code server_id} grants at most {@code reach} ids of a row in a period. A replica that takes over
 * lacks no more ids than that, because it lags by less than a period. So the first statement of another server skips
 * twice the reach.
 */
final class CounterTable {
    /** The mark of a row that this process has not raised yet: the first id. */
    private static final long NO_MARK = 1;

    private static final int ATTEMPTS = 10;

    private final Transactions table;
    private final Counters.Options options;
    private final Map<String, AtomicLong> marks = new ConcurrentHashMap<>();
    private volatile @Nullable Server known;

    CounterTable(Counters.Options options) {
        this.table = CounterRows.in(new Transactions(options.dataSource, options.timeout), options.table);
        this.options = options;
    }

    /**
     * The expressions of a server.
     *
     * @param isThis the condition that this server granted the last ids of a row
     * @param id the value of {@code server_id} for this server
     * @param moves whether that value changes while the server stays the same one
     * @param now the time
     */
    private record Server(SqlText isThis, SqlText id, boolean moves, String now) {
        /** Returns how many ids a row has granted in the current period. */
        String used() {
            return "CASE WHEN win > " + now + " THEN used ELSE 0 END";
        }

        SqlText isThis(int then, int otherwise) {
            return new SqlText("CASE WHEN ").add(isThis).add(" THEN " + then + " ELSE " + otherwise + " END");
        }
    }

    /**
     * A row.
     *
     * @param next the next id that nobody has
     * @param step the fewest ids that segments take; 0 if not set
     * @param reach how many ids it grants at most in a period; 0 if no statement has set it yet
     * @param isOurs whether this server granted its last ids
     * @param left how many ids it may still grant in this period
     * @param periodEndMillis when that period ends
     */
    record Row(
            long next,
            int step,
            int instance,
            int instances,
            long reach,
            boolean isOurs,
            long left,
            long periodEndMillis) {
        /** Returns twice the reach, in numbers. */
        long lift() {
            return 2 * reach * instances;
        }
    }

    /**
     * Takes ids of a row that has at least as many left. Returns empty if it has fewer, if it is missing, if it lies
     * below the mark of this process, if another server granted its last ids, or if its instance or step is another
     * one. {@link #read} then reports the cause or removes it.
     *
     * @param step the step of the row, 0 if it is not set; null for ids of a row with any step
     * @param count how many ids, above 0
     */
    Optional<Segment> take(String name, @Nullable Integer step, long count) {
        int stride = options.instances;
        long amount = count * stride;
        long atLeast = mark(name).get();
        long atMost = options.largestId() - (amount - stride);
        OptionalLong next = table.commitEach(
                purpose(name),
                (connection, dialect) -> {
                    Server server = server(connection, dialect);
                    Optional<Returning> returning = dialect.returning();
                    String sum = returning.map(Returning::sum).orElse("next_id + ?");
                    SqlText update = new SqlText("UPDATE " + table)
                            .set("next_id = " + sum, amount)
                            // MariaDB assigns from left to right, so this is set while win still has its previous value
                            .set("used = " + server.used() + " + ?", count)
                            .set("win = CASE WHEN win > " + server.now + " THEN win ELSE " + server.now + " + "
                                    + CounterRows.PERIOD_MILLIS + " END");
                    if (server.moves) {
                        update.set(new SqlText("server_id = ").add(server.id));
                    }
                    update.where("name = ?", name)
                            .where("instance = ? AND instances = ?", options.instance, options.instances);
                    if (step != null) {
                        update.where("COALESCE(step, 0) = ?", step);
                    }
                    update.where("next_id BETWEEN ? AND ?", atLeast, atMost)
                            .where(server.isThis)
                            .where(server.used() + " <= reach - ?", count)
                            .where(dialect.durableCommit());
                    return returning.isPresent()
                            ? returned(
                                    connection,
                                    update.where(dialect.autoCommit().map(Dialect.AutoCommit::condition)),
                                    returning.get())
                            : updatedThenRead(connection, update, name);
                },
                OptionalLong::isEmpty);
        if (next.isEmpty()) {
            return Optional.empty();
        }
        checkNext(name, next.getAsLong() - amount); // someone may have edited the row since it was read
        mark(name).accumulateAndGet(next.getAsLong(), Math::max);
        return Optional.of(new Segment(next.getAsLong() - amount, (int) count, stride));
    }

    /** Raises the row with one statement, and returns its new number; empty if no row was raised. */
    private OptionalLong returned(Connection connection, SqlText update, Returning returning) throws SQLException {
        if (!returning.asKey()) {
            return only(new SqlText(returning.before()).add(update).add(returning.after()), connection);
        }
        try (PreparedStatement statement = update.returningKeys(connection)) {
            // if no row was updated, the key may be that of an earlier statement
            if (statement.executeUpdate() == 0) {
                return OptionalLong.empty();
            }
            try (ResultSet keys = statement.getGeneratedKeys()) {
                if (!keys.next()) {
                    // the row was raised, and nobody gets the ids; a retry would raise it again, so this is a refusal
                    throw new SQLException(
                            "the server has raised a row of " + table
                                    + " and did not return the new number, because the"
                                    + " table has a trigger, or a proxy removed it from the response; SHOW TRIGGERS lists"
                                    + " triggers; drop those of " + table,
                            "42000");
                }
                return OptionalLong.of(keys.getLong(1));
            }
        }
    }

    /** Raises the row, and reads it while it is still locked. */
    private OptionalLong updatedThenRead(Connection connection, SqlText update, String name) throws SQLException {
        return update.update(connection) == 0
                ? OptionalLong.empty()
                : only(new SqlText("SELECT next_id FROM " + table).where("name = ?", name), connection);
    }

    private static OptionalLong only(SqlText query, Connection connection) throws SQLException {
        List<Long> numbers = query.all(connection, row -> row.getLong(1)); // to the end, because SQLite commits there
        if (numbers.size() > 1) {
            throw new SQLException("two rows of one name: the table has no primary key", "21000");
        }
        return numbers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(numbers.get(0));
    }

    /**
     * Returns the row of a name, if there is one. If another server granted its last ids, first raises it above all ids
     * that this server may lack. If it lies below the mark of this process, first raises it above that. Where rows may
     * disappear, a new row begins at the mark.
     *
     * @throws AllocationException {@link ErrorCode#SEGMENT_WENT_BACK} if the row is gone, or lies below the mark and
     *     cannot be raised; {@link ErrorCode#INVALID_ROW} if its number is not an id of this instance; {@link
     *     ErrorCode#STEP_MISMATCH} if it is that of another instance; {@link ErrorCode#LIMIT_REACHED} if it cannot be
     *     raised after a takeover
     */
    Optional<Row> read(String name) {
        AtomicLong mark = mark(name); // before the row is read, because other threads raise both
        long atLeast = mark.get();
        Optional<Row> row = takenOver(name, find(name, false));
        if (row.isEmpty() || isBelow(row, atLeast)) {
            // a proxy may have asked a replica that lags; after a write, it sends reads to the primary
            row = takenOver(name, find(name, true));
            if (isBelow(row, atLeast) && mark(name) == mark && !(row.isEmpty() && table.mayLoseRows())) {
                raiseAboveMark(name, row, atLeast);
                row = find(name, true);
            }
        }
        row.ifPresent(found -> check(name, found));
        return row;
    }

    private Optional<Row> takenOver(String name, Optional<Row> found) {
        Optional<Row> row = found;
        for (int attempt = 0; row.isPresent() && !row.get().isOurs && attempt < ATTEMPTS; attempt++) {
            check(name, row.get());
            takeOver(name, row.get());
            row = find(name, true);
        }
        return row;
    }

    private void check(String name, Row row) {
        if (row.instance != options.instance || row.instances != options.instances) {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "the row of '" + name + "' in " + table + " is instance " + row.instance + " of " + row.instances
                            + ", and this process takes its database for instance " + options.instance + " of "
                            + options.instances
                            + "; correct the order and the number of the databases, which may not be one twice");
        }
        checkNext(name, row.next);
    }

    private void checkNext(String name, long next) {
        String fact = "next_id of '" + name + "' in " + table + " is " + next;
        if (next < 1) {
            throw new AllocationException(
                    ErrorCode.INVALID_ROW,
                    fact + ", and ids begin at 1; set it above all ids in use, or to 1 if there are none");
        }
        if (Math.floorMod(next - options.instance, (long) options.instances) != 0) {
            throw new AllocationException(
                    ErrorCode.INVALID_ROW,
                    fact + ", which is not an id of instance " + options.instance + " of " + options.instances
                            + "; set it to the next number above the ids in use that leaves the remainder "
                            + options.instance % options.instances + " when divided by " + options.instances);
        }
    }

    /** Rejects a row whose ids are those of another number of databases. */
    void refuseOtherSet(String name, String where) {
        find(name, false).filter(row -> row.instances != options.instances).ifPresent(row -> {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "'" + name + "' has no row in " + table + " on " + where + " that is instance " + row.instance
                            + " of " + row.instances
                            + "; to add a database, stop all processes, delete the rows of this source, and set a start"
                            + " above every id ever issued");
        });
    }

    private static boolean isBelow(Optional<Row> row, long atLeast) {
        return atLeast != NO_MARK && (row.isEmpty() || row.get().next < atLeast);
    }

    /** Returns the row as it is; {@code afterAWrite} reads it from where writes go. */
    Optional<Row> find(String name, boolean afterAWrite) {
        return table.commit(purpose(name), (connection, dialect) -> {
            Server server = server(connection, dialect);
            if (afterAWrite) {
                writeFirst(connection, name);
            }
            return new SqlText("SELECT next_id, step, instance, instances, reach, win, " + server.used() + ", ")
                    .add(server.isThis(1, 0))
                    .add(" FROM " + table)
                    .where("name = ?", name)
                    .first(connection, CounterTable::row);
        });
    }

    private static Row row(ResultSet found) throws SQLException {
        long reach = found.getLong(5);
        // without a reach, no statement of idgen has used the row, whatever its server is
        boolean isOurs = !found.wasNull() && found.getInt(8) == 1;
        return new Row(
                found.getLong(1),
                found.getInt(2),
                found.getInt(3),
                found.getInt(4),
                reach,
                isOurs,
                reach - found.getLong(7),
                found.getLong(6));
    }

    /**
     * Makes this server the one that grants, and raises the row above all grants of the other server that it may lack.
     * A row without a reach was created by hand and has granted nothing yet.
     */
    private void takeOver(String name, Row row) {
        long lift = row.lift();
        if (row.next > options.limit - lift) {
            throw Counters.limitReached(
                    name,
                    options.limit,
                    "next_id in " + table + " is " + row.next
                            + " and another server granted that; this one has to skip " + lift
                            + " ids, twice the row's reach, which it may lack");
        }
        if (set(name, row, row.next + lift) && lift > 0) {
            System.getLogger(CounterTable.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "ids of ''{0}'' in {1} go on at {2}: another server granted those below {3}, and this one may lack the last"
                                    + " {4} of them",
                            name,
                            table,
                            String.valueOf(row.next + lift),
                            String.valueOf(row.next),
                            String.valueOf(lift));
        }
    }

    /** Raises a row that was set back above the mark of this process and all later grants to other processes. */
    private void raiseAboveMark(String name, Optional<Row> row, long atLeast) {
        String fact = row.map(found -> "next_id of '" + name + "' in " + table + " is " + found.next)
                        .orElse("the row of '" + name + "' in " + table + " is gone")
                + ", and this process has raised it to " + atLeast + "; it was restored, truncated or edited: ";
        boolean mayLoseRows = table.mayLoseRows(); // then there is no other process, and its grants need no lift
        long lift = mayLoseRows ? 0 : row.map(Row::lift).orElse(0L);
        if (row.isEmpty() || !row.get().isOurs || atLeast > options.limit - lift) {
            throw new AllocationException(
                    ErrorCode.SEGMENT_WENT_BACK,
                    fact + "stop all writers, give the row a next_id above all ids in use and of at least " + atLeast
                            + ", and start again");
        }
        if (set(name, row.get(), atLeast + lift) && !mayLoseRows) {
            System.getLogger(CounterTable.class.getName())
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

    /** Sets the number of a row that has not changed since it was read, and makes it one of this server. */
    boolean set(String name, Row row, long after) {
        return table.commit(purpose(name), (connection, dialect) -> {
            Server server = server(connection, dialect);
            return new SqlText("UPDATE " + table)
                            .set("next_id = ?", after)
                            .set("reach = COALESCE(reach, ?)", options.reachOr(row.step))
                            .set(new SqlText("server_id = ").add(server.id))
                            .where("name = ?", name)
                            .where("instance = ? AND instances = ?", row.instance, row.instances)
                            .where("next_id = ?", row.next)
                            .where(new SqlText(row.isOurs ? "1 = " : "(reach IS NULL OR 0 = ")
                                    .add(server.isThis(1, 0))
                                    .add(row.isOurs ? "" : ")"))
                            .where(dialect.durableCommit())
                            .update(connection)
                    > 0;
        });
    }

    /** Returns whether this process knows of ids of a name, because it has granted some. */
    boolean isKnown(String name) {
        return mark(name).get() != NO_MARK;
    }

    /** Creates the row of a name at its mark or above, unless another process has just created it. */
    void make(String name, LongUnaryOperator aligned) {
        table.commit(purpose(name), (connection, dialect) -> {
            writeFirst(connection, name);
            long first = aligned.applyAsLong(
                    Math.max(mark(name).get(), options.start.read(connection, dialect, name, options.limit)));
            try {
                new SqlText(
                                "INSERT INTO " + table + " (name, next_id, instance, instances, reach, server_id)"
                                        + " VALUES (?, ?, ?, ?, ?, ",
                                name,
                                first,
                                options.instance,
                                options.instances,
                                options.reachOr(0))
                        .add(server(connection, dialect).id)
                        .add(")")
                        .update(connection);
            } catch (SQLException e) {
                if (dialect.failure(e) != Failure.DUPLICATE_KEY) {
                    throw e;
                }
                connection.rollback(); // PostgreSQL does not commit a transaction with a failed statement
            }
            return true;
        });
    }

    /** Returns the first id of a new row according to this database. */
    long start(String purpose, String name) {
        return table.commit(
                purpose, (connection, dialect) -> options.start.read(connection, dialect, name, options.limit));
    }

    /** Writes without a change: a SQLite transaction that begins with a read may be refused its first write. */
    private void writeFirst(Connection connection, String name) throws SQLException {
        new SqlText("UPDATE " + table)
                .set("next_id = next_id")
                .where("name = ?", name)
                .update(connection);
    }

    /**
     * Sets a row back from the end of each segment to its first id, if the row still has that end and this server
     * granted it. All updates are in one transaction: if a deadlock rolls them back, they can be retried.
     *
     * <p>The updates also compare how many ids the row has granted in its period, which rises with each grant. So an
     * update that a proxy sends again later matches nothing, even if another process was granted the same ids
     * meanwhile.
     */
    void handBack(String name, List<Segment> newestFirst) {
        marks.remove(name); // other processes may take these ids, and may then hand back ids below them
        table.commit(purpose(name), (connection, dialect) -> {
            Server server = server(connection, dialect);
            writeFirst(connection, name);
            Granted granted = new SqlText("SELECT win, used FROM " + table)
                    .where("name = ?", name)
                    .first(connection, found -> new Granted(found.getLong(1), found.getLong(2)))
                    .orElse(new Granted(0, 0));
            for (Segment segment : newestFirst) {
                int changed = new SqlText("UPDATE " + table)
                        .set("next_id = ?", segment.first())
                        .where("name = ?", name)
                        .where("next_id = ?", segment.last() + options.instances)
                        .where("win = ? AND used = ?", granted.periodEndMillis, granted.ids)
                        .where(server.isThis)
                        .update(connection);
                if (changed == 0) {
                    break;
                }
            }
            return true;
        });
    }

    /** How many ids a row has granted in the period that ends then. */
    private record Granted(long periodEndMillis, long ids) {}

    /**
     * The mark of a name. The object stays the same until ids are handed back. Compare a row only with a mark that was
     * read before the row and is the same object afterwards.
     */
    private AtomicLong mark(String name) {
        return marks.computeIfAbsent(name, any -> new AtomicLong(NO_MARK));
    }

    private Server server(Connection connection, Dialect dialect) throws SQLException {
        Server found = known;
        if (found == null) {
            Transactions.checkRowsSurvive(connection, dialect, table.toString());
            String now = dialect.statementMillis();
            Dialect.CounterServer own = dialect.counterServer(connection);
            found = options.identity == null
                    ? new Server(new SqlText(own.isThis()), new SqlText(own.id()), own.moves(), now)
                    : new Server(
                            new SqlText("server_id = ?", options.identity),
                            new SqlText("?", options.identity),
                            false,
                            now);
            known = found;
        }
        return found;
    }

    private String purpose(String name) {
        return "allocating ids of '" + name + "' from " + table;
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
