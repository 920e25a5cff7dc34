package io.idgen.core.segment;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.internal.task.Outage;
import io.idgen.core.internal.task.Refusal;
import io.idgen.core.internal.text.Durations;
import io.idgen.core.internal.text.FailureText;
import io.idgen.core.internal.text.Knob;
import io.idgen.core.internal.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for ids, and the exceptions that they get if there are none. They are woken in the order in which they came, and
 * each has its own deadline. All methods need the lock, but for {@link #lock} and {@link #deadlineNanos}.
 */
final class WaitingCallers {
    private final String name;
    private final Duration acquireTimeout;
    private final int most;
    private final Function<Knob, String> advice;
    private final TimeSource time;
    // A lock, not synchronized: before JDK 24 (JEP 491) a virtual thread that waits inside a monitor pins its carrier.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed;

    private int waiting;
    private long missing;
    private int refusals;
    private @Nullable Refusal refusal;
    private @Nullable Outage outage;
    private @Nullable IdGenerationException end;

    /**
     * Nobody waits yet.
     *
     * @param name what the ids are for
     * @param acquireTimeout how long a call waits
     * @param most how many calls may wait at once
     * @param advice what messages advise a user to change
     */
    WaitingCallers(String name, Duration acquireTimeout, int most, Function<Knob, String> advice, TimeSource time) {
        this.name = name;
        this.acquireTimeout = acquireTimeout;
        this.most = most;
        this.advice = advice;
        this.time = time;
        this.changed = time.condition(lock);
    }

    ReentrantLock lock() {
        return lock;
    }

    /** Until when a call that comes now may wait. */
    long deadlineNanos() {
        return time.nanoTime() + acquireTimeout.toNanos();
    }

    // ---- callers ----

    /** A call that finds too few ids. It counts among those who wait from the moment when it first does until it is closed. */
    final class Visit implements AutoCloseable {
        private final long deadlineNanos;
        private int wanted;
        private int refusalsBefore = refusals;
        private boolean entered;

        Visit(int wanted, long deadlineNanos) {
            this.wanted = wanted;
            this.deadlineNanos = deadlineNanos;
        }

        /**
         * Counts this call among those who wait.
         *
         * @throws IdGenerationException if there will be no ids, the store has refused since the call began, or too many calls
         *     wait already
         */
        void enter() {
            checkOpen();
            if (refusal != null && (refusals != refusalsBefore || refusal.holds(time.nanoTime()))) {
                throw refusal.reason().forCaller();
            }
            if (entered) {
                return;
            }
            if (waiting >= most) {
                throw tooMany();
            }
            entered = true;
            waiting++;
            missing += wanted;
        }

        /**
         * Sleeps until something changes, which is for the caller to look at.
         *
         * @throws IdGenerationException if there will be no ids, the deadline has passed, or the thread is interrupted
         */
        @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
        void sleep() {
            checkOpen();
            long left = deadlineNanos - time.nanoTime();
            if (left <= 0) {
                throw outOfTime();
            }
            try {
                changed.awaitNanos(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw interrupted(e);
            }
        }

        /** The call has got so many of its ids. */
        void got(int ids) {
            if (ids > 0) {
                refusalsBefore = refusals;
                wanted -= ids;
                missing -= entered ? ids : 0;
            }
        }

        /** How many ids all calls lack that wait, with this one. */
        long missing() {
            return missing + (entered ? 0 : wanted);
        }

        @Override
        public void close() {
            if (entered) {
                waiting--;
                missing -= wanted;
            }
        }
    }

    private void checkOpen() {
        if (end != null) {
            throw end.forCaller();
        }
    }

    private IdUnavailableException tooMany() {
        return new IdUnavailableException(
                ErrorCode.TOO_MANY_WAITERS,
                name,
                lasting(),
                "already " + waiting + " threads wait for ids of '" + name + "', limit " + most + "; raise "
                        + advice.apply(Knob.SEGMENT_STEP) + " or " + advice.apply(Knob.MAX_WAITERS) + ", or shed load",
                outage == null ? null : outage.last());
    }

    private IdUnavailableException outOfTime() {
        String why = outage == null
                ? "the database has not answered yet"
                : "the database has been failing for "
                        + Durations.text(Duration.ofMillis(lasting().toMillis())) + ", last: "
                        + FailureText.of(outage.last());
        return new IdUnavailableException(
                ErrorCode.IDS_UNAVAILABLE,
                name,
                lasting(),
                "no id for '" + name + "' within " + Durations.text(acquireTimeout) + "; " + why,
                outage == null ? null : outage.last());
    }

    private IdUnavailableException interrupted(InterruptedException e) {
        return new IdUnavailableException(
                ErrorCode.INTERRUPTED, name, lasting(), "interrupted while waiting for ids of '" + name + "'", e);
    }

    private Duration lasting() {
        return outage == null ? Duration.ZERO : outage.duration(time.nanoTime());
    }

    /** Wakes the call that waits the longest. */
    void wakeNext() {
        changed.signal();
    }

    // ---- refills ----

    /** How many ids the calls lack that wait. */
    long missing() {
        return missing;
    }

    /** The store has given so many ids. Wakes no more calls than they can serve: the others would only queue for the lock. */
    void answered(int ids) {
        outage = null;
        refusal = null;
        for (int i = Math.min(waiting, ids); i > 0; i--) {
            changed.signal();
        }
    }

    /** The store has failed: calls go on waiting. Returns the outage, with how often it has failed in a row. */
    Outage failed(Throwable e) {
        refusal = null;
        outage = Outage.after(outage, e, time.nanoTime());
        return outage;
    }

    /**
     * The store works and refuses. Calls that wait get the refusal at once, later calls as long as it {@linkplain Refusal#holds
     * holds}.
     */
    void refused(IdGenerationException e) {
        outage = null;
        refusals++;
        refusal = Refusal.after(refusal, e, time.nanoTime());
        changed.signalAll();
    }

    /** The outage of the store, or null if the last attempt did not fail. */
    @Nullable
    Outage outage() {
        return outage;
    }

    /** There will be no id any more. */
    void end(IdGenerationException reason) {
        end = reason;
        changed.signalAll();
    }

    boolean haveEnded() {
        return end != null;
    }
}
