package io.idgen.core.internal.lease;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.task.Refusal;
import io.idgen.core.internal.task.WaitCounter;
import io.idgen.core.internal.time.LockCondition;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.window.IssueClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for a window with ids, and the exceptions they get if there is none. They sleep until something
 * changes, each until its own deadline. All methods need the lock, except {@link #lock} itself and those that a
 * snapshot reads.
 */
final class WaitingRoom {
    private static final Duration STILL_WANTED = Duration.ofSeconds(5);

    private final String namespace;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final LockCondition changed;

    private final WaitCounter waits = new WaitCounter();
    private final AtomicLong failures = new AtomicLong();
    private long wantedNanos;
    private int refusals;
    private volatile @Nullable Refusal refusal;
    private int restarts;
    private volatile @Nullable Outage outage;
    private volatile @Nullable IdUnavailableException taken;
    private @Nullable String waitsFor;
    private volatile @Nullable IdGenerationException end;

    WaitingRoom(String namespace, TimeSource time) {
        this.namespace = namespace;
        this.time = time;
        this.changed = time.condition(lock);
        this.wantedNanos = time.nanoTime() - STILL_WANTED.toNanos();
    }

    ReentrantLock lock() {
        return lock;
    }

    /** Since when a call waits, and how many refusals and restarts there were by then. */
    record Visit(long sinceNanos, int refusals, int restarts) implements IssueClock.Wait {}

    // ---- callers ----

    /** Throws if the generator has ended. */
    void checkOpen() {
        IdGenerationException reason = end;
        if (reason != null) {
            throw reason.forCaller();
        }
    }

    /** The visit of a call, which starts again after a checkpoint; throws if the store has refused since it began. */
    Visit visit(@Nullable Visit before) {
        long nanos = time.nanoTime();
        Visit visit = before == null || before.restarts != restarts ? new Visit(nanos, refusals, restarts) : before;
        if (refusal != null && (refusals != visit.refusals || refusal.holds(nanos))) {
            throw refusal.reason().forCaller();
        }
        if (before == null) {
            waits.called();
        }
        return visit;
    }

    /** How long a call may still wait; at most zero if its time is over. */
    long nanosLeft(Visit visit, Duration patience) {
        return patience.toNanos() - (time.nanoTime() - visit.sinceNanos);
    }

    /** Sleeps until something changes, at most for a while; an interrupt stays set. */
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's, who tries to claim an id
    void sleep(long nanos) {
        long sinceNanos = time.nanoTime();
        waits.begin();
        try {
            changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw IssueClock.interrupted(namespace, "a worker id", e);
        } finally {
            waits.end(time.nanoTime() - sinceNanos);
        }
    }

    /** Notes that a call wants ids. */
    void want() {
        wantedNanos = time.nanoTime();
    }

    /** Whether a call waits for ids, or has asked for some in the last five seconds. */
    boolean isWanted() {
        return waits.waiting() > 0 || time.nanoTime() - wantedNanos < STILL_WANTED.toNanos();
    }

    /**
     * The exception of calls that run out of time: at the last look all worker ids were leased by others. Null if some
     * were free, or the store does not answer.
     */
    @Nullable
    IdUnavailableException taken() {
        return outage == null ? taken : null;
    }

    // ---- snapshots, without the lock ----

    SourceSnapshot.Waits waits() {
        return waits.snapshot();
    }

    /** How many attempts have failed so far. */
    long failures() {
        return failures.get();
    }

    /** Why the generator has ended, or null. */
    @Nullable
    IdGenerationException end() {
        return end;
    }

    @Nullable
    Outage outage() {
        return outage;
    }

    /** Why the store gave nothing at the last attempt although it answered, or null. */
    @Nullable
    ErrorCode refused() {
        if (outage != null) {
            return null; // in one, the refusal is that of a connection
        }
        Refusal now = refusal;
        IdGenerationException reason = now == null ? taken() : now.reason();
        return reason == null ? null : reason.code();
    }

    // ---- the keeper ----

    /** Wakes all calls that wait. */
    void wake() {
        changed.signalAll();
    }

    /** The store has answered. Returns the outage that this ends, if there was one. */
    @Nullable
    Outage answered() {
        Outage over = outage;
        outage = null;
        refusal = null;
        return over;
    }

    /**
     * The store has failed: calls go on waiting, unless it cannot be reached. Returns the outage, with how often it has
     * failed in a row.
     */
    Outage failed(Throwable e) {
        long nowNanos = time.nanoTime();
        Outage longer = Outage.after(outage, e, nowNanos);
        outage = longer;
        failures.incrementAndGet();
        tell(Refusal.of(longer, refusal, namespace, "worker id of namespace '" + namespace + "'", nowNanos));
        return longer;
    }

    /**
     * The store works and refuses: those who wait get the refusal at once. Returns the outage that this ends, if any.
     */
    @Nullable
    Outage refused(IdGenerationException e) {
        Outage over = outage;
        outage = null;
        tell(Refusal.after(refusal, e, time.nanoTime()));
        return over;
    }

    private void tell(@Nullable Refusal reason) {
        refusal = reason;
        if (reason != null) {
            refusals++;
            wake();
        }
    }

    /** All worker ids are leased by others; null if that is no longer so. */
    void taken(@Nullable IdUnavailableException e) {
        taken = e;
    }

    /** What the store has answered last, if it grants nothing now; or null. */
    void waitsFor(@Nullable String text) {
        waitsFor = text;
    }

    /** The reason why the store grants nothing now, for a message; null if it is not known. */
    @Nullable
    String waitsFor() {
        return waitsFor;
    }

    /** Restarts the timeout of all calls that wait. */
    void restart() {
        restarts++;
        wake();
    }

    /** Ends the generator; the first reason stays. */
    void end(IdGenerationException e) {
        if (end == null) {
            end = e;
        }
        wake();
    }
}
