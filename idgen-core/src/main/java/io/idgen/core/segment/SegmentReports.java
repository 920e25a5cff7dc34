package io.idgen.core.segment;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenListener;
import io.idgen.core.internal.task.AsyncLog;
import io.idgen.core.internal.task.EventDelivery;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.text.FailureText;
import io.idgen.core.internal.time.RateLimit;
import io.idgen.core.internal.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reports what happens to the segments of a source, as events and log lines. Safe for many threads. */
final class SegmentReports {
    private static final AsyncLog LOG = AsyncLog.of(SegmentIdSource.class);
    private static final Duration REPORT_EVERY = Duration.ofSeconds(10);

    private final String name;
    private final TimeSource time;
    private final IdgenListener events;
    private final RateLimit refusalLines;

    SegmentReports(String name, TimeSource time, IdgenListener events) {
        this.name = name;
        this.time = time;
        this.events = events;
        this.refusalLines = new RateLimit(REPORT_EVERY, time);
    }

    /** Delivers events to the log and to a listener, without delay for the thread that reports them. */
    static IdgenListener delivery(IdgenListener listener) {
        return new EventDelivery(LOG, listener);
    }

    void refilled(Segment segment, Duration took) {
        events.onEvent(new IdgenEvent.Refilled(name, segment.first(), segment.last(), segment.count(), took));
    }

    void outageBegan(Throwable e, boolean idsLeft) {
        events.onEvent(new IdgenEvent.OutageBegan(name, IdgenEvent.Activity.REFILL, idsLeft, e));
    }

    /**
     * Reports that the store answers again, possibly with a refusal; {@code outage} is null if it has not failed
     * before.
     */
    void answered(@Nullable Outage outage) {
        if (outage != null) {
            events.onEvent(new IdgenEvent.OutageEnded(
                    name, IdgenEvent.Activity.REFILL, outage.duration(time.nanoTime()), outage.failures()));
        }
    }

    void stopped(IdGenerationException e) {
        events.onEvent(new IdgenEvent.Stopped(name, e));
    }

    /** Logs a refusal of the store, at most once in ten seconds. Callers that need an id get it as an exception. */
    void refused(IdGenerationException e) {
        if (refusalLines.allows()) {
            LOG.log(System.Logger.Level.WARNING, "{0}: a refill was refused: {1}", name, FailureText.of(e));
        }
    }

    void notHandedBack(Throwable e) {
        LOG.log(
                System.Logger.Level.DEBUG,
                "{0}: unused ids were not handed back and are a gap: {1}",
                name,
                FailureText.of(e));
    }

    /** Completes when all lines that are logged so far are written. */
    CompletableFuture<Void> written() {
        return LOG.written();
    }
}
