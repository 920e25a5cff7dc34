package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.segment.Segment;
import io.idgen.jdbc.CounterStatements.CounterState;
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
    private static final System.Logger LOG = System.getLogger(CounterTable.class.getName());

    /** The mark of a row that this process has not raised yet: the first id. */
    private static final long NO_MARK = 1;

    private static final int ATTEMPTS = 10;

    // after a restart, a server that may have lost commits, or whose history is unknown, counts as another one
    private static final String GRANTED_BEFORE = "granted by another server, or by this one before a restart";

    final CounterStatements statements;
    private final CounterOptions options;
    private final Map<String, AtomicLong> marks = new ConcurrentHashMap<>();

    CounterTable(CounterOptions options) {
        this.statements = new CounterStatements(options);
        this.options = options;
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
        OptionalLong next = statements.take(name, step, count, mark(name).get());
        if (next.isEmpty()) {
            return Optional.empty();
        }
        long first = next.getAsLong() - count * stride;
        checkNext(name, first); // someone may have edited the row since it was read
        mark(name).accumulateAndGet(next.getAsLong(), Math::max);
        return Optional.of(new Segment(first, (int) count, stride));
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
    Optional<CounterState> read(String name) {
        AtomicLong mark = mark(name); // before the row is read, because other threads raise both
        long atLeast = mark.get();
        Optional<CounterState> row = takenOver(name);
        if (isBelow(row, atLeast) && mark(name) == mark && !(row.isEmpty() && statements.mayLoseRows())) {
            raiseAboveMark(name, row, atLeast);
            row = statements.find(name);
        }
        row.ifPresent(found -> check(name, found));
        return row;
    }

    private Optional<CounterState> takenOver(String name) {
        for (int attempt = 0; ; attempt++) {
            Optional<CounterState> row = statements.find(name);
            if (row.isEmpty() || row.get().isOurs() || attempt == ATTEMPTS) {
                return row;
            }
            check(name, row.get());
            takeOver(name, row.get());
        }
    }

    private void check(String name, CounterState row) {
        if (row.instance() != options.instance || row.instances() != options.instances) {
            throw new AllocationException(
                    ErrorCode.STEP_MISMATCH,
                    "the row of '" + name + "' in " + this + " is instance " + row.instance() + " of " + row.instances()
                            + ", and this process takes its database for instance " + options.instance + " of "
                            + options.instances
                            + "; correct the order and the number of the databases, which may not be one twice");
        }
        checkNext(name, row.next());
    }

    private void checkNext(String name, long next) {
        String fact = "next_id of '" + name + "' in " + this + " is " + next;
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
        statements
                .find(name)
                .filter(row -> row.instances() != options.instances)
                .ifPresent(row -> {
                    throw new AllocationException(
                            ErrorCode.STEP_MISMATCH,
                            "'" + name + "' has no row in " + this + " on " + where + " that is instance "
                                    + row.instance()
                                    + " of " + row.instances()
                                    + "; to add a database, stop all processes, delete the rows of this source, and set a start"
                                    + " above every id ever issued");
                });
    }

    private static boolean isBelow(Optional<CounterState> row, long atLeast) {
        return atLeast != NO_MARK && (row.isEmpty() || row.get().next() < atLeast);
    }

    /**
     * Makes this server the one that grants, and raises the row above all grants of the other server that it may lack.
     * A row without a reach was created by hand and has granted nothing yet.
     */
    private void takeOver(String name, CounterState row) {
        long lift = row.lift();
        if (row.next() > options.limit - lift) {
            throw Counters.limitReached(
                    name,
                    options.limit,
                    "next_id in " + this + " is " + row.next() + ", " + GRANTED_BEFORE + "; this one has to skip "
                            + lift + " ids, twice the row's reach, which it may lack");
        }
        if (statements.set(name, row, row.next() + lift) && lift > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "ids of '" + name + "' in " + this + " go on at " + (row.next() + lift) + ": the next one was "
                            + row.next() + ", " + GRANTED_BEFORE + ", and this one may lack the last " + lift
                            + " of them");
        }
    }

    /** Raises a row that was set back above the mark of this process and all later grants to other processes. */
    private void raiseAboveMark(String name, Optional<CounterState> row, long atLeast) {
        String fact = row.map(found -> "next_id of '" + name + "' in " + this + " is " + found.next())
                        .orElse("the row of '" + name + "' in " + this + " is gone")
                + ", and this process has raised it to " + atLeast + "; it was restored, truncated or edited: ";
        boolean mayLoseRows = statements.mayLoseRows(); // then there is no other process, and its grants need no lift
        long lift = mayLoseRows ? 0 : row.map(CounterState::lift).orElse(0L);
        if (row.isEmpty() || !row.get().isOurs() || atLeast > options.limit - lift) {
            throw new AllocationException(
                    ErrorCode.SEGMENT_WENT_BACK,
                    fact + "stop all writers, give the row a next_id above all ids in use and of at least " + atLeast
                            + ", and start again");
        }
        if (statements.set(name, row.get(), atLeast + lift) && !mayLoseRows) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    ErrorCode.SEGMENT_WENT_BACK.code() + " " + fact + "ids go on at " + (atLeast + lift)
                            + ", twice the row's reach higher; processes that had not used the row before may have"
                            + " repeated ids below " + atLeast + ": look for them");
        }
    }

    /** Returns whether this process knows of ids of a name, because it has granted some. */
    boolean isKnown(String name) {
        return mark(name).get() != NO_MARK;
    }

    /** Creates the row of a name at its mark or above, unless another process has just created it. */
    void make(String name, LongUnaryOperator aligned) {
        statements.make(name, mark(name).get(), aligned);
    }

    /** Sets the row back by unused segments; see {@link CounterStatements#handBack}. */
    void handBack(String name, List<Segment> newestFirst) {
        marks.remove(name); // other processes may take these ids, and may then hand back ids below them
        statements.handBack(name, newestFirst);
    }

    /**
     * The mark of a name. The object stays the same until ids are handed back. Compare a row only with a mark that was
     * read before the row and is the same object afterwards.
     */
    private AtomicLong mark(String name) {
        return marks.computeIfAbsent(name, any -> new AtomicLong(NO_MARK));
    }

    @Override
    public String toString() {
        return statements.toString();
    }
}
