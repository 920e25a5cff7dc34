package io.idgen.core.internal.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Executes the statements of {@code JdbcWorkerIds} over a {@link SimulatedDatabase}, with the same conditions, and
 * broken variants of them. Optionally those of {@code ZooKeeperWorkerIds}, which differ in two points:
 * <ul>
 *   <li>A change is two requests. The first one reads the row and the time, and evaluates the conditions. The second
 *       one only compares the row's version. Meanwhile time passes, and another server may take over.
 *   <li>A row that an earlier server granted counts as the present server's when the gap has passed since the takeover.
 *       Its ticks then begin after that.
 * </ul>
 */
public class SimulatedStore implements LeaseStore {
    private static final String NO_TOKEN = "-";
    private static final int CANDIDATES = 64;
    private static final int TRIES = 8;

    /** The connection between a process and the database. */
    public interface Link {
        /** Applies a statement and returns its answer, or throws if the answer is lost. */
        <T> T call(String statement, Supplier<T> work);

        /** A connection without faults. */
        Link DIRECT = new Link() {
            @Override
            public <T> T call(String statement, Supplier<T> work) {
                return work.get();
            }
        };
    }

    /** A condition that is omitted, or another fault. */
    public enum Flaw {
        NONE,
        /** Ignores the horizon of a row: candidates begin now. */
        HORIZON_IGNORED,
        /** Extends a held row whatever its horizon is. */
        EXTENDED_WITHOUT_HORIZON,
        /** Treats every server as the one that granted the row. */
        SERVER_IGNORED,
        /**
         * Advances a row of another server only to the present time, not above all ticks that this server may have
         * granted.
         */
        ADVANCED_TOO_LOW,
        /** Releases a row with a horizon below the last tick that was used. */
        RELEASED_TOO_LOW,
        /** Reports a refused extension as granted. */
        REFUSAL_MISREAD,
        /** Does not compare the layout of a row. */
        LAYOUT_IGNORED,
        /** In ZooKeeper: counts a row of an earlier server as the present one's at once. */
        TAKEOVER_IGNORED,
        /** In ZooKeeper: does not compare the version. */
        VERSION_IGNORED,
        /** Outside the store: a backup is restored, and the server keeps its identity. */
        RESTORED_UNNOTICED,
        /** Outside the store: a window stays open when another one replaces it. */
        OPEN_AFTER_SWAP,
        /** Outside the store: a window stays open when its source is closed. */
        OPEN_AFTER_CLOSE
    }

    /** The store whose statements are executed. */
    enum Kind {
        SQL,
        ZOOKEEPER
    }

    private final SimulatedDatabase database;
    private final Link link;
    private final Flaw flaw;
    private final Kind kind;
    private @Nullable LeaseTerms termsInWords;
    private String layoutText = "";

    public SimulatedStore(SimulatedDatabase database, Link link, Flaw flaw) {
        this(database, link, flaw, Kind.SQL);
    }

    SimulatedStore(SimulatedDatabase database, Link link, Flaw flaw, Kind kind) {
        this.database = database;
        this.link = link;
        this.flaw = flaw;
        this.kind = kind;
    }

    @Override
    public Candidates candidates(LeaseTerms terms, @Nullable String token) {
        return link.call("candidates", () -> {
            if (database.rows().isEmpty()) {
                database.name(terms.namespace());
                for (int i = 0; i < terms.workers(); i++) {
                    int workerId = terms.firstWorkerId() + i;
                    database.set(workerId, new WorkerRow(workerId, text(terms), 0, null, 0, 0, null));
                }
            }
            if (database.rows().stream().noneMatch(row -> isOf(terms, row))) {
                throw new AllocationException(
                        ErrorCode.LAYOUT_MISMATCH, "namespace '" + terms.namespace() + "' has another layout");
            }
            return rowsThatMayBeTaken(terms, token);
        });
    }

    private Candidates rowsThatMayBeTaken(LeaseTerms terms, @Nullable String token) {
        List<WorkerRow> read = database.readRows();
        long now = database.nowMillis();
        List<Row> rows = read.stream()
                .filter(row -> isOf(terms, row) && !terms.excluded().contains(row.workerId()))
                .filter(row -> isFree(row, token))
                .sorted(Comparator.comparingLong(WorkerRow::horizon).thenComparing(WorkerRow::workerId))
                .limit(CANDIDATES)
                .map(row -> new Row(
                        row.workerId(),
                        row.fence(),
                        flaw == Flaw.HORIZON_IGNORED ? Math.min(now, row.horizon()) : horizon(terms, row),
                        isCurrent(terms, row),
                        row.token() != null,
                        row.generation(),
                        row.server()))
                .toList();
        return rows.isEmpty() ? new Candidates(0, rows, holders(terms)) : new Candidates(now, rows, "");
    }

    /** Returns whether no process was granted ticks from the {@link #horizon} on. */
    private boolean isCurrent(LeaseTerms terms, WorkerRow row) {
        return isSameServer(row)
                || (kind == Kind.ZOOKEEPER
                        && (database.nowMillis() >= safeFromMillis(terms) || flaw == Flaw.TAKEOVER_IGNORED));
    }

    private long horizon(LeaseTerms terms, WorkerRow row) {
        return isSameServer(row) || !isCurrent(terms, row) || flaw == Flaw.TAKEOVER_IGNORED
                ? row.horizon()
                : Math.max(row.horizon(), safeFromMillis(terms));
    }

    private long safeFromMillis(LeaseTerms terms) {
        return database.takenOverAtMillis() + terms.gapMillis();
    }

    private boolean isOf(LeaseTerms terms, WorkerRow row) {
        return database.isOf(terms.namespace())
                && (row.layout().equals(text(terms)) || flaw == Flaw.LAYOUT_IGNORED)
                && row.workerId() >= terms.firstWorkerId()
                && row.workerId() < terms.firstWorkerId() + terms.workers();
    }

    /** Returns the cached text of a layout: formatting takes longer than the rest of a statement. */
    private String text(LeaseTerms terms) {
        if (terms != termsInWords) {
            termsInWords = terms;
            layoutText = terms.layoutAndTimes();
        }
        return layoutText;
    }

    private boolean isFree(WorkerRow row, @Nullable String token) {
        return row.leaseUntil() < database.nowMillis() || (token == null ? NO_TOKEN : token).equals(row.token());
    }

    private boolean isSameServer(WorkerRow row) {
        return database.server().equals(row.server()) || flaw == Flaw.SERVER_IGNORED;
    }

    private static boolean isHeld(WorkerRow row, Lease lease) {
        return lease.token().equals(row.token()) && lease.fence() == row.fence();
    }

    private boolean isWithinWindow(LeaseTerms terms, long horizonMillis) {
        return database.nowMillis() + terms.window().toMillis() >= horizonMillis;
    }

    private boolean update(
            String statement,
            LeaseTerms terms,
            int workerId,
            Predicate<WorkerRow> where,
            UnaryOperator<WorkerRow> set) {
        if (kind == Kind.ZOOKEEPER) {
            return updateByVersion(statement, terms, workerId, where, set);
        }
        return link.call(statement, () -> {
            WorkerRow row = database.row(workerId);
            if (row == null || !isOf(terms, row) || !where.test(row)) {
                return false;
            }
            database.set(row.workerId(), set.apply(row));
            return true;
        });
    }

    /** A planned change that compares the row's version. The same object is the same version. */
    private record Planned(WorkerRow seen, WorkerRow changed, String server) {}

    private boolean updateByVersion(
            String statement,
            LeaseTerms terms,
            int workerId,
            Predicate<WorkerRow> where,
            UnaryOperator<WorkerRow> set) {
        for (int i = 0; i < TRIES; i++) {
            Planned planned = link.call("look before " + statement, () -> {
                WorkerRow row = database.row(workerId);
                return row == null || !isOf(terms, row) || !where.test(row)
                        ? null
                        : new Planned(row, set.apply(row), database.server());
            });
            if (planned == null) {
                return false;
            }
            if (link.call(statement, () -> change(workerId, planned))) {
                return true;
            }
        }
        throw new StoreUnavailableException("others were faster");
    }

    private boolean change(int workerId, Planned planned) {
        if (database.row(workerId) != planned.seen && flaw != Flaw.VERSION_IGNORED) {
            return false;
        }
        database.set(workerId, planned.changed);
        if (!database.server().equals(planned.server)) {
            throw new StoreUnavailableException("another server has become the leader");
        }
        return true;
    }

    @Override
    public boolean acquire(LeaseTerms terms, Row candidate, @Nullable String token, Lease lease) {
        return update(
                "acquire",
                terms,
                candidate.workerId(),
                row -> row.fence() == candidate.fence()
                        && (horizon(terms, row) == candidate.horizonMillis() || flaw == Flaw.HORIZON_IGNORED)
                        && isFree(row, token)
                        && isWithinWindow(terms, lease.horizonMillis())
                        && isCurrent(terms, row),
                row -> new WorkerRow(
                        row.workerId(),
                        row.layout(),
                        row.fence() + 1,
                        lease.token(),
                        database.nowMillis() + terms.lease().toMillis(),
                        lease.horizonMillis(),
                        kind == Kind.ZOOKEEPER ? database.server() : row.server(),
                        row.generation(),
                        row.horizon()));
    }

    @Override
    public boolean fenceOff(LeaseTerms terms, Row candidate, long horizonMillis) {
        return update(
                "fence off",
                terms,
                candidate.workerId(),
                row -> row.fence() == candidate.fence()
                        && horizon(terms, row) == candidate.horizonMillis()
                        && !isCurrent(terms, row)
                        && database.nowMillis() + terms.gapMillis() <= horizonMillis,
                row -> row.changed(database.server(), horizonMillis)
                        .heldBy(null, 0)
                        .withHorizon(
                                flaw == Flaw.ADVANCED_TOO_LOW
                                        ? Math.max(row.horizon(), database.nowMillis())
                                        : horizonMillis));
    }

    @Override
    public Optional<LeaseView> look(LeaseTerms terms, Lease lease) {
        return link.call(
                "look",
                () -> Optional.ofNullable(database.row(lease.workerId()))
                        .filter(row -> isOf(terms, row))
                        .map(row -> new LeaseView(
                                database.nowMillis(),
                                isHeld(row, lease),
                                flaw == Flaw.EXTENDED_WITHOUT_HORIZON ? lease.horizonMillis() : row.horizon(),
                                isSameServer(row),
                                row.generation(),
                                isSetBack(row, lease))));
    }

    /** Returns whether the row meets the conditions of {@link #heal}. */
    private boolean isSetBack(WorkerRow row, Lease lease) {
        return kind == Kind.SQL
                && RowRules.isSetBack(
                        new RowRules.LeasedRow(
                                row.token(),
                                row.fence(),
                                row.horizon(),
                                row.grantedFrom(),
                                row.server(),
                                database.server().equals(row.server()),
                                row.generation()),
                        lease);
    }

    @Override
    public boolean raise(LeaseTerms terms, Lease lease, long seenMillis) {
        return update(
                "raise",
                terms,
                lease.workerId(),
                row -> isHeld(row, lease) && row.horizon() == seenMillis && isSameServer(row),
                row -> row.withHorizon(lease.horizonMillis())
                        .withLeaseUntil(database.nowMillis() + terms.lease().toMillis()));
    }

    @Override
    public boolean heal(LeaseTerms terms, Lease lease) {
        return link.call("heal", () -> {
            WorkerRow own = database.row(lease.workerId());
            if (own == null || !isOf(terms, own) || !isSetBack(own, lease)) {
                return false;
            }
            long beyond = database.nowMillis() + terms.gapMillis() + RowRules.FENCING_MARGIN.toMillis();
            for (WorkerRow row : database.rows()) {
                if (row.generation() <= lease.generation()) {
                    WorkerRow healed = row.changed(row.server(), row.grantedFrom())
                            .heldBy(null, 0)
                            .withHorizon(Math.max(row.horizon(), beyond));
                    database.set(row.workerId(), healed.withGeneration(lease.generation() + 1));
                }
            }
            return true;
        });
    }

    @Override
    public boolean extend(LeaseTerms terms, Lease lease, long horizonMillis) {
        boolean extended = update(
                "extend",
                terms,
                lease.workerId(),
                row -> isHeld(row, lease)
                        && (row.horizon() == lease.horizonMillis() || flaw == Flaw.EXTENDED_WITHOUT_HORIZON)
                        && isWithinWindow(terms, horizonMillis)
                        && isSameServer(row),
                row -> row.withHorizon(horizonMillis)
                        .withLeaseUntil(database.nowMillis() + terms.lease().toMillis()));
        return extended || flaw == Flaw.REFUSAL_MISREAD;
    }

    @Override
    public boolean renew(LeaseTerms terms, Lease lease) {
        return update(
                "renew",
                terms,
                lease.workerId(),
                row -> isHeld(row, lease) && row.horizon() == lease.horizonMillis(),
                row -> row.withLeaseUntil(database.nowMillis() + terms.lease().toMillis()));
    }

    @Override
    public boolean release(LeaseTerms terms, Lease lease, long horizonMillis) {
        long tick = terms.layout().tick().toMillis();
        return update(
                "release",
                terms,
                lease.workerId(),
                row -> isHeld(row, lease) && row.horizon() == lease.horizonMillis(),
                row -> row.heldBy(null, 0)
                        .withHorizon(flaw == Flaw.RELEASED_TOO_LOW ? horizonMillis - tick : horizonMillis));
    }

    private String holders(LeaseTerms terms) {
        return LeaseHolder.text(database.rows().stream()
                .filter(row -> isOf(terms, row))
                .map(row -> new LeaseHolder(row.workerId(), String.valueOf(row.token()), row.leaseUntil())));
    }
}
