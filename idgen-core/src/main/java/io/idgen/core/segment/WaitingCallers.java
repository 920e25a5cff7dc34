package io.idgen.core.segment;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.IdgenListener;
import io.idgen.core.SourceSnapshot;
import io.idgen.core.internal.lease.Standing;
import io.idgen.core.internal.lease.WaitCounter;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.LockCondition;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.internal.time.YieldingLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queue of calls that wait for ids, and the exceptions that they get without one. A refill serves them in the order
 * in which they came, and each has its own deadline. All methods need the lock, except {@link #lock}, {@link #arrive},
 * those that a snapshot reads, and those of a call that is {@linkplain #releaseServed released}.
 */
final class WaitingCallers {
    /**
     * The longest wait for callers that the last refill served together and that may soon return. Without it, the next
     * refill would begin for the few that came in the meantime, and every second refill would serve few. The wait is
     * also limited to half the time of the last refill. PostgreSQL's {@code commit_delay} does the same for commits.
     */
    static final Duration LONGEST_GATHERING = Duration.ofMillis(1);

    private final String name;
    private final Duration acquireTimeout;
    private final Duration firstTimeout;
    private final int most;
    private final TimeSource time;
    // A lock, not synchronized: before JDK 24 (JEP 491) a virtual thread that waits inside a monitor pins its carrier.
    private final YieldingLock lock = new YieldingLock();
    private final Set<Visit> queue = new LinkedHashSet<>();
    private final List<Visit> served = new ArrayList<>(); // and still asleep

    private final WaitCounter waits = new WaitCounter();
    private final LockCondition gathered;
    private long missing;
    private long awaited = Long.MAX_VALUE;
    private long together; // how many ids calls lacked when the last segment arrived
    private long gatherNanos;
    private final Standing standing;
    private volatile boolean hasAnswered;
    private volatile @Nullable Long firstDeadlineNanos;
    private boolean suspended;

    /**
     * Creates an empty queue.
     *
     * @param name what the ids are for
     * @param acquireTimeout how long a call waits
     * @param firstTimeout how long, from the first call on, calls wait for the first answer of the store
     * @param most how many calls may wait at once
     * @param events receives events under the lock, so it must not block
     */
    WaitingCallers(
            String name,
            Duration acquireTimeout,
            Duration firstTimeout,
            int most,
            TimeSource time,
            IdgenListener events) {
        this.name = name;
        this.acquireTimeout = acquireTimeout;
        this.firstTimeout = firstTimeout;
        this.most = most;
        this.time = time;
        this.gathered = time.condition(lock);
        this.standing = new Standing(
                name, "id for '" + name + "'", "fetching a segment", time, () -> queue.forEach(Visit::wake), events);
    }

    YieldingLock lock() {
        return lock;
    }

    /** How the store stands. */
    Standing standing() {
        return standing;
    }

    /** The time at which a call came, and its deadline. */
    record Arrival(long nanos, long deadlineNanos) {}

    /**
     * Returns the arrival of a call that comes now. The first answer of a store may take longer than others, because
     * driver and pool are loaded and connect. The longer timeout begins with the first call only. Otherwise every call
     * of an outage would have it.
     */
    Arrival arrive() {
        long nanos = time.nanoTime();
        long deadlineNanos = nanos + acquireTimeout.toNanos();
        if (hasAnswered) {
            return new Arrival(nanos, deadlineNanos);
        }
        Long first = firstDeadlineNanos;
        if (first == null) {
            first = nanos + firstTimeout.toNanos();
            firstDeadlineNanos = first;
        }
        return new Arrival(nanos, first - deadlineNanos > 0 ? first : deadlineNanos);
    }

    // ---- callers ----

    /**
     * A call that finds too few ids, or that warms up. It is in the queue from {@link #enter} until a refill serves it
     * or it is closed.
     */
    final class Visit implements AutoCloseable {
        private final Arrival arrival;
        private final long[] ids;
        private final int end;
        private final LockCondition changed = time.condition(lock);
        private int lacking;
        private int refusalsBefore = standing.refusals();
        private boolean inQueue;
        private long sinceNanos;
        private volatile boolean released;

        /** Creates a call that wants {@code count} ids in the array, from index {@code from} on. */
        Visit(long[] ids, int from, int count, Arrival arrival) {
            this.ids = ids;
            this.end = from + count;
            this.lacking = count;
            this.arrival = arrival;
        }

        /** Creates a call that warms up. A refill fetches one id for it, and it takes none. */
        Visit(Arrival arrival) {
            this.ids = new long[0];
            this.end = 0;
            this.lacking = 1;
            this.arrival = arrival;
        }

        private boolean isWarmUp() {
            return ids.length == 0;
        }

        /** Takes as many ids of a segment as the call lacks. */
        void take(Cursor cursor) {
            long index = cursor.take(lacking);
            int got = cursor.copy(index, ids, end - lacking, lacking);
            if (got > 0) {
                refusalsBefore = standing.refusals();
                lacking -= got;
                missing -= inQueue ? got : 0;
            }
        }

        /** Returns whether the call has all its ids. */
        boolean isServed() {
            return lacking == 0;
        }

        /**
         * Puts this call at the end of the queue, unless it is in it.
         *
         * @throws IdGenerationException if the source has ended, the store has refused since the call began, or too
         *     many calls wait already
         */
        void enter() {
            standing.checkOpen();
            standing.checkRefusal(refusalsBefore);
            if (inQueue) {
                return;
            }
            if (waits.waiting() >= most) {
                throw tooMany();
            }
            inQueue = true;
            sinceNanos = time.nanoTime();
            waits.called();
            waits.begin();
            missing += lacking;
            queue.add(this);
            if (missing >= awaited) {
                gathered.signal();
            }
        }

        /**
         * Sleeps until the call is served or something changes; the caller has to check which. Returns without the lock
         * if the call is {@linkplain #releaseServed released} by then.
         *
         * @throws IdGenerationException if the source has ended, or if the call is not served and its deadline has
         *     passed or the thread is interrupted
         */
        @SuppressWarnings("WaitNotInLoop") // the caller loops
        void sleep() {
            standing.checkOpen();
            long left = arrival.deadlineNanos - time.nanoTime();
            if (left <= 0) {
                throw outOfTime(Duration.ofNanos(arrival.deadlineNanos - arrival.nanos));
            }
            try {
                changed.awaitNanos(left, () -> released);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                if (!isServed()) {
                    throw interrupted(e);
                }
            }
        }

        private void wake() {
            changed.signal();
        }

        private void left(long nowNanos) {
            inQueue = false;
            missing -= lacking;
            waits.end(nowNanos - sinceNanos);
        }

        @Override
        public void close() {
            if (inQueue) {
                queue.remove(this);
                left(time.nanoTime());
            }
        }
    }

    private IdUnavailableException tooMany() {
        return new IdUnavailableException(
                ErrorCode.TOO_MANY_WAITERS,
                name,
                "already " + waits.waiting() + " threads wait for ids of '" + name + "', limit " + most
                        + "; raise idgen.segment.step (in code: the builder's step or maxWaiters), or shed load",
                standing.lastFailure());
    }

    private IdUnavailableException outOfTime(Duration patience) {
        String why = suspended
                ? "a checkpoint of this process is under way"
                : standing.why(
                        "no request has failed so far: the database is slow, or all connections of the pool are in use");
        return new IdUnavailableException(
                ErrorCode.IDS_UNAVAILABLE,
                name,
                "no id for '" + name + "' within " + Durations.text(patience) + "; " + why,
                standing.lastFailure());
    }

    private IdUnavailableException interrupted(InterruptedException e) {
        return new IdUnavailableException(
                ErrorCode.INTERRUPTED, name, "interrupted while waiting for ids of '" + name + "'", e);
    }

    // ---- snapshots, without the lock ----

    SourceSnapshot.Waits waits() {
        return waits.snapshot();
    }

    // ---- refills ----

    /** Returns how many ids the waiting calls lack. */
    long missing() {
        return missing;
    }

    /**
     * Waits a short time, until as many ids are missing as when the last segment arrived, so that one refill serves
     * those calls together. The thread of the refill calls it.
     */
    void gather() {
        long deadlineNanos = time.nanoTime() + gatherNanos;
        awaited = together;
        try {
            for (long left = gatherNanos;
                    left > 0 && missing < together && !standing.hasEnded();
                    left = deadlineNanos - time.nanoTime()) {
                gathered.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the refill begins at once
        } finally {
            awaited = Long.MAX_VALUE;
        }
    }

    /** Records that the store has granted ids after this time. */
    void answered(long nanos) {
        hasAnswered = true;
        together = missing;
        gatherNanos = Math.min(nanos / 2, LONGEST_GATHERING.toNanos());
        standing.answered();
    }

    /** Records that the store works and refuses. */
    void refused(IdGenerationException e) {
        hasAnswered = true;
        standing.refused(e);
    }

    /**
     * Serves the waiting calls in the order in which they came, until one remains unserved, and wakes those that warm
     * up. The served ones leave the queue, and sleep until {@link #releaseServed}.
     *
     * @param give gives available ids to a call; returns whether to fetch more
     * @return whether it returned true for any call
     */
    boolean serve(Predicate<Visit> give) {
        boolean more = false;
        long nowNanos = time.nanoTime();
        for (Iterator<Visit> all = queue.iterator(); all.hasNext(); ) {
            Visit visit = all.next();
            if (!visit.isWarmUp()) {
                more |= give.test(visit);
                if (!visit.isServed()) {
                    break;
                }
                all.remove();
                visit.left(nowNanos);
                served.add(visit);
            } else {
                visit.wake();
            }
        }
        return more;
    }

    /** Lets the served calls return. They need no lock for that. */
    void releaseServed() {
        for (Visit visit : served) {
            visit.released = true;
            visit.wake();
        }
        served.clear();
    }

    /** Sets whether a checkpoint of the process is under way. Wakes the waiting calls, which then ask for a refill. */
    void suspended(boolean now) {
        suspended = now;
        queue.forEach(Visit::wake);
    }

    boolean areSuspended() {
        return suspended;
    }

    /** Returns whether nothing is fetched for calls: the source has ended, or a checkpoint is under way. */
    boolean areAtRest() {
        return standing.hasEnded() || suspended;
    }
}
