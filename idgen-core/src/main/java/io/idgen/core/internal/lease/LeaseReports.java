package io.idgen.core.internal.lease;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.internal.task.AsyncLog;
import io.idgen.core.internal.text.FailureText;
import io.idgen.core.internal.time.RateLimit;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.lease.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What happens to a lease, in words: as events, and refusals as log lines. By the lease's thread alone. */
final class LeaseReports {
    private static final AsyncLog LOG = AsyncLog.of(LeaseKeeper.class);
    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

    private final LeaseStore.Terms terms;
    private final IdgenListener events;
    private final StoreClock clock;
    private final RateLimit refusalLines;
    private boolean stretched;

    LeaseReports(LeaseStore.Terms terms, TimeSource time, IdgenListener events, StoreClock clock) {
        this.terms = terms;
        this.events = events;
        this.clock = clock;
        this.refusalLines = new RateLimit(REPORT_EVERY, time);
    }

    /** Reports what a step has changed. */
    void step(LeaseStep step, LeaseEvent event, @Nullable Holding before) {
        switch (step.notice()) {
            case ACQUIRED -> acquired(((LeaseEvent.Acquired) event).command());
            case ROW_GONE -> lost(before, "its row is gone");
            case ROW_TAKEN -> lost(before, "another process has its row");
            case OTHER_SERVER -> lost(before, "another server answers");
            case EXTENDED_UNSEEN -> lost(before, "a renewal whose answer was lost has taken effect");
            case COPIED -> report(IdgenEvent.Kind.LEASE_COPIED, copied((LeaseEvent.Looked) event));
            case NONE, ALL_TAKEN -> {}
        }
    }

    private void acquired(LeaseCommand.Acquire acquired) {
        report(
                IdgenEvent.Kind.LEASE_ACQUIRED,
                workerId(acquired.lease().workerId()) + " is leased, ids from "
                        + Instant.ofEpochMilli(acquired.startMillis()) + " on (the store's time is "
                        + Instant.ofEpochMilli(clock.millis()) + ")");
    }

    private void lost(@Nullable Holding lost, String why) {
        report(
                IdgenEvent.Kind.LEASE_LOST,
                "the lease of " + workerId(lost == null ? 0 : lost.lease().workerId()) + " is lost (" + why
                        + "); ids continue from the rest of its window, and another worker id is leased");
    }

    /** Why no id is generated any more. */
    String copied(LeaseEvent.Looked looked) {
        LeaseStore.Lease lease = looked.lease();
        LeaseStore.LeaseView view = looked.view();
        long found = view == null ? lease.horizonMillis() : view.horizonMillis();
        return "the row of " + workerId(lease.workerId()) + " in namespace '" + terms.namespace()
                + "' has this process's token and the horizon " + Instant.ofEpochMilli(found) + ", not "
                + Instant.ofEpochMilli(lease.horizonMillis())
                + " as this process left it: a copy of this process runs, or the row was edited; stop the copy, and start"
                + " again";
    }

    void released(int workerId) {
        report(IdgenEvent.Kind.LEASE_RELEASED, workerId(workerId) + " is given back");
    }

    void outageBegan(Throwable e, boolean idsLeft) {
        report(
                IdgenEvent.Kind.OUTAGE_BEGAN,
                "leasing a worker id failed and is tried again; "
                        + (idsLeft ? "ids continue from the rest of the window" : "there are no ids until it succeeds")
                        + ": " + FailureText.of(e));
    }

    void outageEnded() {
        report(IdgenEvent.Kind.OUTAGE_ENDED, "the store of leases answers again");
    }

    /** At the end of a turn, so that a change which lasts for less is not reported. */
    void stretched(boolean now) {
        if (now == stretched) {
            return;
        }
        stretched = now;
        report(
                now ? IdgenEvent.Kind.STRETCHING_BEGAN : IdgenEvent.Kind.STRETCHING_ENDED,
                now
                        ? "ids do not follow the time until the store's clock has caught up or it answers again"
                        : "ids follow the time again");
    }

    /** At most one line in ten seconds. */
    void refused(IdGenerationException e) {
        if (refusalLines.allows()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: leasing a worker id was refused: {1}",
                    terms.namespace(),
                    FailureText.of(e));
        }
    }

    private String workerId(int workerId) {
        return "worker id " + terms.layout().workerText(workerId);
    }

    private void report(IdgenEvent.Kind kind, String text) {
        events.onEvent(new IdgenEvent(kind, terms.namespace(), text));
    }
}
