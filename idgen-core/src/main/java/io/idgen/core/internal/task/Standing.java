package io.idgen.core.internal.task;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.internal.text.FailureText;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a store stands with the calls that wait for it: in an outage, refusing, or ended together with the source.
 * Changes need the lock of the calls. Snapshots read it without.
 */
public final class Standing {
    private final String source;
    private final String wanted;
    private final LongSupplier nanoTime;
    private final Runnable wake;

    private final AtomicLong failures = new AtomicLong();
    private int refusals;
    private volatile @Nullable Refusal refusal;
    private volatile @Nullable Outage outage;
    private volatile @Nullable IdGenerationException end;

    /**
     * Creates the standing of a store that has not failed.
     *
     * @param source the name for the exceptions of calls
     * @param wanted what calls want, for messages
     * @param nanoTime the monotonic clock
     * @param wake wakes all calls that wait
     */
    public Standing(String source, String wanted, LongSupplier nanoTime, Runnable wake) {
        this.source = source;
        this.wanted = wanted;
        this.nanoTime = nanoTime;
        this.wake = wake;
    }

    // ---- what the store does ----

    /** Records that the store has answered. Returns the outage that this ends, or null. */
    public @Nullable Outage answered() {
        Outage over = outage;
        outage = null;
        refusal = null;
        return over;
    }

    /**
     * Records that the store has failed. Calls keep waiting, unless it cannot be reached. Returns the outage, with the
     * number of failures in a row.
     */
    public Outage failed(Throwable e) {
        long nowNanos = nanoTime.getAsLong();
        Outage longer = Outage.after(outage, e, nowNanos);
        outage = longer;
        failures.incrementAndGet();
        tell(Refusal.of(longer, refusal, source, wanted, nowNanos));
        return longer;
    }

    /**
     * Records that the store works and refuses. Waiting calls get the refusal at once, and later calls as long as it
     * {@linkplain Refusal#holds holds}. Returns the outage that this ends, or null.
     */
    public @Nullable Outage refused(IdGenerationException e) {
        Outage over = outage;
        outage = null;
        tell(Refusal.after(refusal, e, nanoTime.getAsLong()));
        return over;
    }

    private void tell(@Nullable Refusal reason) {
        refusal = reason;
        if (reason != null) {
            refusals++;
            wake.run();
        }
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
        Refusal last = refusal;
        if (last != null && (refusals != refusalsBefore || last.holds(nanoTime.getAsLong()))) {
            throw last.reason().forCaller();
        }
    }

    /** Returns how long the outage has lasted; zero if there is none. */
    public Duration lasting() {
        Outage now = outage;
        return now == null ? Duration.ZERO : now.duration(nanoTime.getAsLong());
    }

    /**
     * Says why calls wait.
     *
     * @param slow the reason if the store has not failed
     */
    public String why(String slow) {
        Outage now = outage;
        return now == null
                ? slow
                : "no request has succeeded for "
                        + Durations.text(Duration.ofMillis(lasting().toMillis())) + ", last: "
                        + FailureText.of(now.last());
    }

    // ---- snapshots ----

    /** Returns the outage of the store, or null if the last attempt did not fail. */
    public @Nullable Outage outage() {
        return outage;
    }

    /** Returns what the last attempt threw if the store fails, or null. */
    public @Nullable Throwable lastFailure() {
        Outage now = outage;
        return now == null ? null : now.last();
    }

    public SourceSnapshot.@Nullable Outage outageSnapshot() {
        Outage now = outage;
        return now == null ? null : now.snapshot(nanoTime.getAsLong());
    }

    /** Returns why the last attempt was refused, or null. During an outage, a refusal is that of a connection. */
    public @Nullable ErrorCode refused() {
        Refusal now = refusal;
        return now == null || outage != null ? null : now.reason().code();
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
