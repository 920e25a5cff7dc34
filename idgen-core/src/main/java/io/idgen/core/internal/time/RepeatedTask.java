package io.idgen.core.internal.time;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A background task that runs in turns: when a call wants one, and when the pause after the last one is over. At most
 * one turn is planned and one is running. All methods need the owner's lock.
 */
public final class RepeatedTask {
    /** The pause after a turn that has thrown an exception. */
    static final Duration RETRY = Duration.ofMillis(50);

    private static final AsyncLog LOG = AsyncLog.of(RepeatedTask.class);

    private final TaskThreads threads;
    private final Lock lock;
    private final Runnable turn;
    private final Runnable run = this::run; // here, because the JVM links it slowly, and calls wait for the first turn
    private @Nullable Future<?> planned;
    private boolean routine;
    private boolean running;

    /**
     * Creates a task that does not run yet.
     *
     * @param lock the owner's
     * @param turn runs without the lock, and handles its own failures; if it throws an exception all the same, it is
     *     repeated after a pause
     */
    public RepeatedTask(TaskThreads threads, Lock lock, Runnable turn) {
        this.threads = threads;
        this.lock = lock;
        this.turn = turn;
    }

    /**
     * Plans the next turn, in place of one that is already planned.
     *
     * @param isRoutine whether no call waits for the turn; then {@link #hurry} may run it earlier
     * @throws RejectedExecutionException if the threads are shut down
     */
    public void plan(Duration delay, boolean isRoutine) {
        Future<?> next = threads.schedule(run, delay);
        cancel();
        planned = next;
        routine = isRoutine;
    }

    /**
     * Runs a turn now, unless one is running, or is planned for another waiting call.
     *
     * @throws RejectedExecutionException if the threads are shut down
     */
    public void hurry() {
        if (!running && (planned == null || routine)) {
            plan(Duration.ZERO, false);
        }
    }

    public void cancel() {
        if (planned != null) {
            planned.cancel(false);
            planned = null;
        }
    }

    /** Returns whether a turn is planned or running. */
    public boolean isUnderWay() {
        return running || planned != null;
    }

    /** Returns whether the turn may run: not while another one is running. */
    public boolean begin() {
        if (running) {
            return false;
        }
        running = true;
        planned = null;
        return true;
    }

    public void end() {
        running = false;
    }

    /** Runs a turn on the background thread, without the lock. */
    private void run() {
        try {
            turn.run();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "a background task failed and is repeated", e);
            lock.lock();
            try {
                end();
                plan(RETRY, true);
            } catch (RejectedExecutionException ended) {
                LOG.log(System.Logger.Level.DEBUG, "a background task ends with its threads", ended);
            } finally {
                lock.unlock();
            }
        }
    }
}
