package io.idgen.core.internal.lease;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenListener;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.internal.time.LockCondition;
import io.idgen.core.internal.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for a window with ids, and the exceptions they get without one. They sleep until something changes,
 * each until its own deadline. All methods need the lock, except those that a snapshot reads.
 */
final class WaitingRoom {
    private static final Duration STILL_WANTED = Duration.ofSeconds(5);

    private final String namespace;
    private final TimeSource time;
    final ReentrantLock lock = new ReentrantLock();
    private final LockCondition changed;

    private final WaitCounter waits = new WaitCounter();
    final Standing standing; // how the store stands
    private long wantedNanos;
    volatile @Nullable IdUnavailableException taken; // the exception for calls if all worker ids are leased

    @Nullable
    String waitsFor; // why the store grants nothing now, if that is known

    WaitingRoom(String namespace, TimeSource time, IdgenListener events) {
        this.namespace = namespace;
        this.time = time;
        this.changed = time.condition(lock);
        this.standing = new Standing(
                namespace,
                "worker id of namespace '" + namespace + "'",
                "leasing a worker id or renewing its lease",
                time,
                this::wake,
                events);
        this.wantedNanos = time.nanoTime() - STILL_WANTED.toNanos();
    }

    /** The time since which a call waits, and the number of refusals by then. */
    record LeaseVisit(long sinceNanos, int refusals) implements IssueClock.Wait {}

    // ---- callers ----

    /** Returns the visit of a call. Throws if the store has refused since it began. */
    LeaseVisit visit(@Nullable LeaseVisit before) {
        LeaseVisit visit = before == null ? new LeaseVisit(time.nanoTime(), standing.refusals()) : before;
        standing.checkRefusal(visit.refusals);
        if (before == null) {
            waits.called();
        }
        return visit;
    }

    /** Returns how long a call may still wait; at most zero if its time is over. */
    long nanosLeft(LeaseVisit visit, Duration patience) {
        return patience.toNanos() - (time.nanoTime() - visit.sinceNanos);
    }

    /** Sleeps until something changes, or the time is over. An interrupt stays set. */
    @SuppressWarnings("WaitNotInLoop") // the caller loops and tries to claim an id
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

    /** Records that a call wants ids. */
    void want() {
        wantedNanos = time.nanoTime();
    }

    /** Returns whether a call waits for ids, or has requested some in the last five seconds. */
    boolean isWanted() {
        return waits.waiting() > 0 || time.nanoTime() - wantedNanos < STILL_WANTED.toNanos();
    }

    /**
     * Returns the exception for calls that time out if all worker ids were leased at the last look. Null if some were
     * free, or the store does not answer.
     */
    @Nullable
    IdUnavailableException taken() {
        return standing.hasFailed() ? null : taken;
    }

    // ---- snapshots, without the lock ----

    SourceSnapshot.Waits waits() {
        return waits.snapshot();
    }

    /** Returns why the store granted nothing at the last attempt although it answered, or null. */
    @Nullable
    ErrorCode refused() {
        ErrorCode refused = standing.refused();
        IdUnavailableException all = taken();
        return refused != null || all == null ? refused : all.code();
    }

    // ---- the keeper ----

    /** Wakes all calls that wait. */
    void wake() {
        changed.signalAll();
    }
}
