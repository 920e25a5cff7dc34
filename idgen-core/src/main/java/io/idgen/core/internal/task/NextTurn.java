package io.idgen.core.internal.task;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the turns of a background task. At most one turn is planned and one is running. The task survives whatever
 * its turn throws, and a host that allows no new thread for a moment. Safe for many threads.
 */
public final class NextTurn {
    /** The pause after a turn has thrown an exception, and after the host has refused a thread. */
    static final Duration RETRY = Duration.ofMillis(50);

    private static final AsyncLog LOG = AsyncLog.of(NextTurn.class);
    private static final Future<?> BEING_SUBMITTED = CompletableFuture.completedFuture(null);

    private final TaskThreads thread;
    private final LongSupplier nanoTime;
    private final Runnable turn;
    private final Runnable run = this::run; // here, because the JVM links it slowly, and calls wait for the first turn

    // a lock, not a monitor: a virtual thread may wait for the executor under it, see JEP 491. It yields, because a
    // thread that parked here would hold the lock of all calls, and run again after thousands of others.
    private final YieldingLock lock = new YieldingLock();

    // All below is guarded by the lock.
    private @Nullable Future<?> planned;
    private boolean routine;
    private boolean running;
    private @Nullable Throwable refusal; // why the host refused a thread for the last plan
    private long refusedNanos;

    /**
     * Creates a task that does not run yet.
     *
     * @param nanoTime the monotonic clock
     * @param turn handles its own failures; if it throws an exception all the same, it is repeated after a pause
     */
    public NextTurn(TaskThreads thread, LongSupplier nanoTime, Runnable turn) {
        this.thread = thread;
        this.nanoTime = nanoTime;
        this.turn = turn;
    }

    /**
     * Plans the next turn; replaces one that is already planned. A turn calls this, or the thread that starts the task.
     *
     * @param isRoutine whether no call waits for the turn; then {@link #hurry} may run it earlier
     * @throws RejectedExecutionException if the owner of the thread has shut it down
     */
    public void plan(Duration delay, boolean isRoutine) {
        lock.lock();
        try {
            if (submit(delay)) {
                routine = isRoutine;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs a turn now, unless one is running, or is planned for another waiting call.
     *
     * @return null, or why no turn can start for now; then the caller calls again {@link #RETRY soon}
     * @throws RejectedExecutionException if the owner of the thread has shut it down
     */
    public @Nullable Throwable hurry() {
        lock.lock();
        try {
            if (thread.isShutdown()) {
                throw new RejectedExecutionException("shut down");
            }
            if (running || (planned != null && !routine)) {
                return null;
            }
            boolean early = refusal != null && nanoTime.getAsLong() - refusedNanos < RETRY.toNanos();
            if (!early && submit(Duration.ZERO)) {
                routine = false;
            }
            Throwable why = refusal;
            if (why != null && planned == null && submit(RETRY)) {
                routine = true; // no call may come again
            }
            return why;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how long a call may sleep that waits for a turn, if the result of {@link #hurry} was this. */
    public static long sleepNanos(@Nullable Throwable hurried, long nanos) {
        return hurried == null ? nanos : Math.min(nanos, RETRY.toNanos());
    }

    /** Submits a turn in place of the one that is planned; returns false if the host has no thread for it now. */
    private boolean submit(Duration delay) {
        Future<?> before = planned;
        planned = BEING_SUBMITTED;
        try {
            Future<?> submitted = thread.schedule(run, delay);
            if (planned == BEING_SUBMITTED) { // an executor may run the turn within its method
                planned = submitted;
            }
            refusal = null;
        } catch (RuntimeException | Error e) {
            if (planned == BEING_SUBMITTED) {
                planned = before;
            }
            if (thread.isShutdown()) {
                throw new RejectedExecutionException("shut down", e);
            }
            refusal = e;
            refusedNanos = nanoTime.getAsLong();
            return false;
        }
        if (before != null) {
            before.cancel(false);
        }
        return true;
    }

    public void cancel() {
        lock.lock();
        try {
            if (planned != null) {
                planned.cancel(false);
                planned = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a turn is planned or running. */
    public boolean isUnderWay() {
        lock.lock();
        try {
            return running || planned != null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the turn may run: not while another one is running. */
    public boolean begin() {
        lock.lock();
        try {
            if (running) {
                return false;
            }
            running = true;
            planned = null;
            return true;
        } finally {
            lock.unlock();
        }
    }

    public void end() {
        lock.lock();
        try {
            running = false;
        } finally {
            lock.unlock();
        }
    }

    // ---- on the background thread ----

    private void run() {
        boolean failed = true;
        try {
            turn.run();
            failed = false;
        } catch (RuntimeException | Error e) {
            end();
            LOG.log(System.Logger.Level.WARNING, "a background task failed and is repeated", e);
            throw e;
        } finally {
            try {
                while (!goesOn(failed)) {
                    // this thread remains, so the task does not depend on a new one
                    LockSupport.parkNanos(RETRY.toNanos());
                }
            } catch (RejectedExecutionException e) {
                LOG.log(System.Logger.Level.DEBUG, "a background task ends with its threads", e);
            }
        }
    }

    /** Plans the next turn if the turn has failed to; returns false if the host has no thread for it now. */
    private boolean goesOn(boolean failed) {
        lock.lock();
        try {
            if ((!failed && refusal == null) || running || planned != null) {
                return true;
            }
            routine = true;
            return submit(RETRY);
        } finally {
            lock.unlock();
        }
    }
}
