package io.idgen.core.internal.lease;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenEvent;
import io.idgen.core.IdgenEvent.Kind;
import io.idgen.core.IdgenListener;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.time.BackOff;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.FailureText;
import io.idgen.core.internal.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How a store stands with the calls that wait for it: in an outage, refusing, or ended together with the source.
 * Changes need the lock of the calls. Snapshots read it without.
 *
 * <p>A refusal, of a call or of the connection, holds for a short time: calls get it again without a new attempt. That
 * time doubles with each refusal in a row.
 */
public final class Standing {
    private static final BackOff REFUSED_FOR = new BackOff(Duration.ofMillis(50), Duration.ofSeconds(5));

    private final String source;
    private final String wanted;
    private final String activity;
    private final TimeSource time;
    private final Runnable wake;
    private final IdgenListener events;

    private final AtomicLong failures = new AtomicLong();
    private int refusals;
    private volatile @Nullable LastRefusal refusal;
    private volatile @Nullable FailedAttempts outage;
    private volatile @Nullable IdGenerationException end;

    private record LastRefusal(IdGenerationException reason, int inARow, long sinceNanos) {}

    private record FailedAttempts(int inARow, long sinceNanos, Throwable last) {}

    /**
     * Creates the standing of a store that has not failed.
     *
     * @param source the name for the exceptions of calls
     * @param wanted what calls want, for messages
     * @param activity what the store is asked to do, for events
     * @param time the monotonic clock
     * @param wake wakes all calls that wait
     * @param events receives the beginning and the end of each outage
     */
    public Standing(
            String source, String wanted, String activity, TimeSource time, Runnable wake, IdgenListener events) {
        this.source = source;
        this.wanted = wanted;
        this.activity = activity;
        this.time = time;
        this.wake = wake;
        this.events = events;
    }

    // ---- what the store does ----

    /** Records that the store has answered. */
    public void answered() {
        refusal = null;
        endOutage();
    }

    private void endOutage() {
        FailedAttempts over = outage;
        outage = null;
        if (over != null) {
            events.onEvent(new IdgenEvent(
                    Kind.OUTAGE_ENDED,
                    source,
                    "the store answers again: %s failed %s in %s",
                    activity,
                    over.inARow + (over.inARow == 1 ? " time" : " times"),
                    since(over)));
        }
    }

    /**
     * Records that the store has failed. Calls keep waiting, unless it cannot be reached: then they get a refusal.
     * Returns the number of failures in a row.
     *
     * @param idsLeft whether ids remain; otherwise there are none until the store answers
     */
    public int failed(Throwable e, boolean idsLeft) {
        FailedAttempts before = outage;
        FailedAttempts now = before == null
                ? new FailedAttempts(1, time.nanoTime(), e)
                : new FailedAttempts(before.inARow + 1, before.sinceNanos, e);
        outage = now;
        failures.incrementAndGet();
        if (e instanceof StoreUnreachableException) {
            refuse(new IdUnavailableException(
                    ErrorCode.IDS_UNAVAILABLE,
                    source,
                    "no " + wanted + ": " + FailureText.of(e) + "; idgen tries again in the background",
                    e));
        } else {
            refusal = null;
        }
        if (before == null) {
            events.onEvent(new IdgenEvent(
                    Kind.OUTAGE_BEGAN,
                    source,
                    "%s failed and is tried again; %s: %s",
                    activity,
                    idsLeft ? "remaining ids are still served" : "there are no ids until it succeeds",
                    e));
        }
        return now.inARow;
    }

    /**
     * Records that the store works and refuses. Waiting calls get the refusal at once, and later calls as long as it
     * holds.
     */
    public void refused(IdGenerationException e) {
        refuse(e);
        endOutage();
    }

    private void refuse(IdGenerationException reason) {
        LastRefusal before = refusal;
        refusal = new LastRefusal(reason, before == null ? 1 : before.inARow + 1, time.nanoTime());
        refusals++;
        wake.run();
    }

    /** Ends the source: calls get this exception. The first reason stays. */
    public void end(IdGenerationException reason) {
        if (end == null) {
            end = reason;
        }
        wake.run();
    }

    // ---- calls ----

    /** Throws if the source has ended. */
    public void checkOpen() {
        IdGenerationException reason = end;
        if (reason != null) {
            throw reason.forCaller();
        }
    }

    /** Returns the number of refusals so far, for {@link #checkRefusal}. */
    public int refusals() {
        return refusals;
    }

    /** Throws if the store has refused since a call began, or so recently that it is not asked again yet. */
    public void checkRefusal(int refusalsBefore) {
        LastRefusal last = refusal;
        if (last != null
                && (refusals != refusalsBefore
                        || time.nanoTime() - last.sinceNanos
                                < REFUSED_FOR.pause(last.inARow).toNanos())) {
            throw last.reason.forCaller();
        }
    }

    private Duration since(FailedAttempts now) {
        return Duration.ofNanos(time.nanoTime() - now.sinceNanos);
    }

    /**
     * Says why calls wait.
     *
     * @param slow the reason if the store has not failed
     */
    public String why(String slow) {
        SourceSnapshot.Outage now = outage();
        return now == null
                ? slow
                : "no request has succeeded for "
                        + Durations.text(Duration.ofMillis(now.duration().toMillis())) + ", last: " + now.cause();
    }

    // ---- snapshots ----

    /** Returns the outage of the store, or null if the last attempt did not fail. */
    public SourceSnapshot.@Nullable Outage outage() {
        FailedAttempts now = outage;
        return now == null ? null : new SourceSnapshot.Outage(since(now), now.inARow, FailureText.of(now.last));
    }

    /** Returns whether the last attempt has failed. */
    public boolean hasFailed() {
        return outage != null;
    }

    /** Returns what the last attempt threw if the store fails, or null. */
    public @Nullable Throwable lastFailure() {
        FailedAttempts now = outage;
        return now == null ? null : now.last;
    }

    /** Returns why the last attempt was refused, or null. During an outage, a refusal is that of a connection. */
    public @Nullable ErrorCode refused() {
        LastRefusal now = refusal;
        return now == null || outage != null ? null : now.reason.code();
    }

    /** Returns whether the source has ended. */
    public boolean hasEnded() {
        return end != null;
    }

    /** Returns why the source has ended, or null. */
    public @Nullable ErrorCode ended() {
        IdGenerationException reason = end;
        return reason == null ? null : reason.code();
    }

    /** Returns how many attempts have failed so far. */
    public long failures() {
        return failures.get();
    }
}
