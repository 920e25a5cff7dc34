package io.idgen.core.internal.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.internal.time.AsyncLog;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.FailureText;
import io.idgen.core.internal.time.Pages;
import io.idgen.core.internal.time.RateLimit;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reports changes of a lease as events, and refusals as log lines. Only the thread of the lease uses it, and under its
 * lock a call that begins an outage. No report blocks.
 */
final class LeaseReports {
    private static final AsyncLog LOG = AsyncLog.of(LeaseKeeper.class);
    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

    private final LeaseTerms terms;
    private final TimeSource time;
    private final IdgenListener events;
    private final StoreClock clock;
    private final RateLimit refusalLines;
    private boolean saysWait = true;
    private boolean held;
    private long heldSinceNanos;

    LeaseReports(LeaseTerms terms, TimeSource time, IdgenListener events, StoreClock clock) {
        this.terms = terms;
        this.time = time;
        this.events = events;
        this.clock = clock;
        this.refusalLines = new RateLimit(REPORT_EVERY, time);
    }

    /** Reports what a step has changed. */
    void step(LeaseStep step, LeaseEvent event, @Nullable Holding before) {
        switch (step.notice()) {
            case ACQUIRED -> acquired((LeaseCommand.Acquire) ((LeaseEvent.Answered) event).command());
            case ROW_GONE -> lost(before, "its row is gone");
            case ROW_TAKEN -> lost(before, "another process has its row");
            case OTHER_SERVER -> lost(before, "another server answers");
            case EXTENDED_UNSEEN -> lost(before, "a renewal whose answer was lost has taken effect");
            case RAISED ->
                setBack("the row of "
                        + row(terms, Objects.requireNonNull(before).lease().workerId())
                        + " was set back, and has its horizon again; ids continue. If other rows were set back too,"
                        + " processes may have been granted equal ticks");
            case DISCARDED -> discarded(before);
            case COPIED -> report(Kind.STOPPED, "%s", copied((LeaseEvent.Looked) event));
            case NONE -> {}
        }
    }

    private void report(Kind kind, String format, Object... values) {
        events.onEvent(new IdgenEvent(kind, terms.namespace(), format, values));
    }

    /** Logs once what a process without a lease waits for. */
    void waitsFor(LeaseWait.HorizonsAhead wait) {
        if (saysWait) {
            saysWait = false;
            LOG.log(System.Logger.Level.INFO, "{0}: {1}", terms.namespace(), wait.line());
        }
    }

    private void acquired(LeaseCommand.Acquire acquired) {
        saysWait = true;
        report(
                Kind.LEASE_ACQUIRED,
                "%s is leased until %s, for ids from %s to %s",
                worker(acquired.lease()),
                Instant.ofEpochMilli(clock.millis()).plus(terms.lease()),
                Instant.ofEpochMilli(acquired.startMillis()),
                Instant.ofEpochMilli(acquired.lease().horizonMillis()));
    }

    private void discarded(@Nullable Holding before) {
        if (before != null) {
            report(
                    Kind.LEASE_LOST,
                    "the lease of %s is lost (rows of the namespace were set back); the rest of its window, to %s, is"
                            + " discarded, and another worker id is leased",
                    worker(before.lease()),
                    Instant.ofEpochMilli(before.lease().horizonMillis()));
        }
        setBack("rows of worker ids of namespace '" + terms.namespace()
                + "' were set back, and have been healed: from now on no tick is granted again. Each process discards its"
                + " window at its next renewal, and leases a worker id again");
    }

    /** Logs an error, because ids may exist twice. Each restore causes one or two lines. */
    private void setBack(String text) {
        LOG.log(
                System.Logger.Level.ERROR,
                "{0}: {1}",
                terms.namespace(),
                ErrorCode.WORKER_IDS_SET_BACK + ": " + text
                        + "; look for equal ids that were made since the rows were set back");
    }

    private void lost(@Nullable Holding held, String reason) {
        LeaseStore.Lease lost = Objects.requireNonNull(held).lease();
        report(
                Kind.LEASE_LOST,
                "the lease of %s is lost (%s); ids continue from the rest of its window, to %s, and another worker id"
                        + " is leased",
                worker(lost),
                reason,
                Instant.ofEpochMilli(lost.horizonMillis()));
    }

    /** Returns the exception for a lease that a copy of this process uses. */
    IdGenerationException copied(LeaseEvent.Looked looked) {
        LeaseStore.Lease lease = looked.lease();
        LeaseStore.LeaseView view = looked.view();
        long found = view == null ? lease.horizonMillis() : view.horizonMillis();
        return new IdGenerationException(
                ErrorCode.LEASE_COPIED,
                "the row of " + row(terms, lease.workerId()) + " has this process's token and the horizon "
                        + Instant.ofEpochMilli(found) + ", not " + Instant.ofEpochMilli(lease.horizonMillis())
                        + " as this process left it: a copy of this process runs, or the row was edited; stop the copy,"
                        + " and start again");
    }

    /** Returns the exception for a free row whose horizon no correct clock can have granted. */
    static AllocationException horizonFar(LeaseTerms terms, LeaseStore.Row row, long nowMillis) {
        return new AllocationException(
                ErrorCode.HORIZON_FAR,
                "the nearest free worker id, "
                        + WorkerKey.of(terms.namespace(), terms.layout(), row.workerId())
                        + ", begins at " + Instant.ofEpochMilli(row.horizonMillis())
                        + ", and the database's clock is at " + Instant.ofEpochMilli(nowMillis)
                        + ": ids may be ahead of it by " + Durations.text(terms.window())
                        + "; correct the clock if it is behind, otherwise repair the rows: "
                        + Pages.DOCS + "operations.md");
    }

    /** Returns the exception for calls if all worker ids are leased. */
    IdUnavailableException allTaken(LeaseWait.AllTaken taken) {
        boolean one = terms.workers() == 1;
        return new IdUnavailableException(
                ErrorCode.WORKER_IDS_TAKEN,
                terms.namespace(),
                (one
                                ? row(terms, terms.firstWorkerId()) + " is leased; "
                                : "all " + terms.workers() + " worker ids of namespace '" + terms.namespace()
                                        + "' are leased; ")
                        + taken.holders()
                        + (one
                                ? "; give each process its own worker id, or leave idgen.worker.id and"
                                        + " idgen.worker.assigner out, and any free one is leased"
                                : "; stop a process, or move the namespace to a layout with more worker bits"),
                null);
    }

    void released(LeaseStore.Lease lease) {
        report(Kind.LEASE_RELEASED, "%s is released", worker(lease));
    }

    /** Reports at the end of a turn whether ids follow the time, so that shorter changes are not reported. */
    void clockHeld(boolean now) {
        if (now == held) {
            return;
        }
        held = now;
        long nanos = time.nanoTime();
        if (now) {
            heldSinceNanos = nanos;
            report(
                    Kind.CLOCK_HELD,
                    "ids are ahead of the store's clock, as after a takeover or a repair, or the store does not"
                            + " answer, so the time in ids rises more slowly until then; ids stay unique, and no action"
                            + " is needed");
        } else {
            report(Kind.CLOCK_RESUMED, "ids follow the time again, after %s", Duration.ofNanos(nanos - heldSinceNanos));
        }
    }

    /** Logs a refusal, at most once in ten seconds, without the statements of a missing table: exceptions have them. */
    void refused(IdGenerationException e) {
        if (refusalLines.allows()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: leasing a worker id or renewing its lease was refused: {1}",
                    terms.namespace(),
                    e.code() == ErrorCode.TABLE_MISSING
                            ? e.code()
                                    + ": the table of worker ids is missing; the exception of an id has its statements"
                            : FailureText.of(e));
        }
    }

    /** Describes a row by its number in the table, and by the datacenter and worker in its ids. */
    static String row(LeaseTerms terms, int workerId) {
        return WorkerKey.of(terms.namespace(), terms.layout(), workerId).toString();
    }

    private String worker(LeaseStore.Lease lease) {
        return WorkerKey.of(terms.namespace(), terms.layout(), lease.workerId()).text();
    }
}
