package io.idgen.core.segment;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.SimulatedDatabase;
import io.idgen.core.internal.lease.SimulatedDatabase.CounterRow;
import io.idgen.core.internal.lease.SimulatedStore.Link;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Executes the statements of {@code Counters} as one process sends them, over a {@link SimulatedDatabase}, with the
 * same conditions. Also has broken variants of them.
 */
class SimulatedCounters implements SegmentAllocator {
    static final long WINDOW_MILLIS = 600_000;
    private static final int ATTEMPTS = 10;
    private static final long NO_MARK = 1;

    /** A rule that is omitted. */
    enum Flaw {
        NONE,
        /** Treats every server as the one that granted the last ids. */
        ADVANCE_OMITTED,
        /** The first statement on another server skips the reach once, not twice. */
        ADVANCED_ONCE,
        /** No statement enforces the reach. It is the largest number of ids that any window has granted so far. */
        REACH_OBSERVED,
        /** A statement does not compare the row with what its process knows. */
        KNOWN_IGNORED,
        /** A hand-back does not compare the server. */
        HANDED_BACK_ON_ANY_SERVER,
        /** Does not compare the result of a SELECT again in the UPDATE that follows. */
        READ_TRUSTED,
        /** Outside the statements: hands ids back again if the first attempt gets no answer. */
        HANDED_BACK_AGAIN,
        /** Outside the statements: a raised reach counts at once. */
        REACH_RAISED_AT_ONCE
    }

    private final SimulatedDatabase database;
    private final Link link;
    private final Flaw flaw;
    private final long newReach;
    private final Map<String, AtomicLong> marks = new ConcurrentHashMap<>();

    /**
     * Creates the counters of one process.
     *
     * @param newReach the reach of the rows that it creates; their ids begin at 1
     */
    SimulatedCounters(SimulatedDatabase database, Link link, Flaw flaw, long newReach) {
        this.database = database;
        this.link = link;
        this.flaw = flaw;
        this.newReach = newReach;
    }

    @Override
    public Segment allocate(String name, int wanted) {
        if (wanted < 1) {
            throw new IllegalArgumentException("wanted must be at least 1, got " + wanted);
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Segment> segment = take(name, wanted);
            if (segment.isPresent()) {
                return segment.get();
            }
            Optional<CounterRow> row = read(name);
            if (row.isEmpty()) {
                create(name);
                continue;
            }
            long left = left(row.get());
            if (left < wanted) {
                Optional<Segment> last = take(name, left);
                if (last.isPresent()) {
                    return last.get();
                }
            }
        }
        throw new StoreUnavailableException("'" + name + "' was changed too often");
    }

    private Optional<Segment> take(String name, long count) {
        long atLeast = mark(name).get();
        OptionalLong end = link.call("allocation of " + count + " of '" + name + "'", () -> add(name, count, atLeast));
        end.ifPresent(next -> mark(name).accumulateAndGet(next, Math::max));
        return end.isPresent() ? Optional.of(new Segment(end.getAsLong() - count, (int) count, 1)) : Optional.empty();
    }

    private AtomicLong mark(String name) {
        return marks.computeIfAbsent(name, any -> new AtomicLong(NO_MARK));
    }

    // ---- statements ----

    private OptionalLong add(String name, long count, long atLeast) {
        boolean raised = update(
                name,
                row -> isOurs(row)
                        && (row.next() >= atLeast || flaw == Flaw.KNOWN_IGNORED)
                        && (used(row) <= row.reach() - count || flaw == Flaw.REACH_OBSERVED),
                row -> new CounterRow(
                        row.next() + count,
                        row.server(),
                        flaw == Flaw.REACH_OBSERVED ? Math.max(row.reach(), used(row) + count) : row.reach(),
                        isInWindow(row) ? row.win() : database.nowMillis() + WINDOW_MILLIS,
                        used(row) + count));
        return raised
                ? OptionalLong.of(
                        Objects.requireNonNull(database.counters().get(name)).next())
                : OptionalLong.empty();
    }

    private boolean update(String name, Predicate<CounterRow> where, UnaryOperator<CounterRow> set) {
        CounterRow row = database.counters().get(name);
        if (row == null || !where.test(row)) {
            return false;
        }
        database.counters().set(name, set.apply(row));
        return true;
    }

    private boolean isOurs(CounterRow row) {
        return database.server().equals(row.server()) || flaw == Flaw.ADVANCE_OMITTED;
    }

    private boolean isInWindow(CounterRow row) {
        long left = row.win() - database.nowMillis();
        return left > 0 && left <= WINDOW_MILLIS * 3 / 2;
    }

    private long used(CounterRow row) {
        return isInWindow(row) ? row.used() : 0;
    }

    private long left(CounterRow row) {
        return flaw == Flaw.REACH_OBSERVED ? Long.MAX_VALUE : row.reach() - used(row);
    }

    private Optional<CounterRow> read(String name) {
        AtomicLong mark = mark(name);
        long atLeast = mark.get();
        Optional<CounterRow> row = takenOver(name, query(name, false));
        if (isBelow(row, atLeast)) {
            row = takenOver(name, query(name, true));
            if (isBelow(row, atLeast) && marks.get(name) == mark) {
                raise(name, row, atLeast);
                row = query(name, true);
            }
        }
        row.filter(found -> left(found) < 1).ifPresent(found -> {
            throw new AllocationException(ErrorCode.REACH_USED_UP, "'" + name + "' has used up its reach");
        });
        return row;
    }

    private Optional<CounterRow> takenOver(String name, Optional<CounterRow> found) {
        Optional<CounterRow> row = found;
        for (int attempt = 0; row.isPresent() && !isOurs(row.get()) && attempt < ATTEMPTS; attempt++) {
            CounterRow others = row.get();
            long skipped = flaw == Flaw.ADVANCED_ONCE ? others.reach() : 2 * others.reach();
            link.call("takeover of '" + name + "'", () -> set(name, others.next(), others.next() + skipped, false));
            row = query(name, true);
        }
        return row;
    }

    /** Reads a row. A transaction that writes before it reads runs on the primary. */
    private Optional<CounterRow> query(String name, boolean afterAWrite) {
        return link.call(
                "read of '" + name + "'",
                () -> Optional.ofNullable(
                        afterAWrite
                                ? database.counters().get(name)
                                : database.counters().read().get(name)));
    }

    private boolean isBelow(Optional<CounterRow> row, long atLeast) {
        return atLeast != NO_MARK
                && flaw != Flaw.KNOWN_IGNORED
                && (row.isEmpty() || row.get().next() < atLeast);
    }

    private void raise(String name, Optional<CounterRow> row, long atLeast) {
        if (row.isEmpty() || !isOurs(row.get())) {
            throw new AllocationException(ErrorCode.SEGMENT_WENT_BACK, "'" + name + "' was below " + atLeast);
        }
        long skipped = 2 * row.get().reach();
        link.call("heal of '" + name + "'", () -> set(name, row.get().next(), atLeast + skipped, true));
    }

    /**
     * Sets a row to {@code after}, if it is still at {@code before} and {@code isOurs} applies. Returns whether it was
     * changed.
     */
    private boolean set(String name, long before, long after, boolean isOurs) {
        return update(
                name,
                row -> flaw == Flaw.READ_TRUSTED || row.next() == before && isOurs(row) == isOurs,
                row -> new CounterRow(after, database.server(), row.reach(), row.win(), row.used()));
    }

    private void create(String name) {
        link.call("creation of '" + name + "'", () -> {
            if (database.counters().get(name) == null) {
                database.counters().set(name, new CounterRow(1, database.server(), newReach, 0, 0));
            }
            return true;
        });
    }

    @Override
    public void handBack(String name, List<Segment> newestFirst) {
        marks.remove(name);
        try {
            sendBack(name, newestFirst);
        } catch (StoreUnavailableException e) {
            if (flaw != Flaw.HANDED_BACK_AGAIN) {
                throw e;
            }
            sendBack(name, newestFirst);
        }
    }

    private void sendBack(String name, List<Segment> newestFirst) {
        link.call("hand-back of " + newestFirst, () -> {
            for (Segment unused : newestFirst) {
                if (!update(name, row -> isAtEndOf(row, unused), row -> at(row, unused.first()))) {
                    return false;
                }
            }
            return true;
        });
    }

    private boolean isAtEndOf(CounterRow row, Segment unused) {
        return row.next() == unused.last() + 1 && (isOurs(row) || flaw == Flaw.HANDED_BACK_ON_ANY_SERVER);
    }

    static CounterRow at(CounterRow row, long next) {
        return new CounterRow(next, row.server(), row.reach(), row.win(), row.used());
    }
}
