package io.idgen.core.internal.lease;

import io.idgen.core.internal.task.TaskThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the turns of a background task. At most one turn is planned and one is running. Not safe for several
 * threads.
 */
final class NextTurn {
    private final TaskThreads thread;
    private final Runnable turn;
    private @Nullable Future<?> planned;
    private boolean routine;
    private boolean running;

    NextTurn(TaskThreads thread, Runnable turn) {
        this.thread = thread;
        this.turn = turn;
    }

    /**
     * Plans the next turn; replaces one that is already planned.
     *
     * @param isRoutine whether no call waits for the turn; then {@link #hurry} may run it earlier
     * @throws RejectedExecutionException if the owner of the thread has shut it down
     */
    void plan(Duration delay, boolean isRoutine) {
        cancel();
        routine = isRoutine;
        planned = thread.schedule(turn, delay);
    }

    /**
     * Runs a turn now, unless one is running, or is planned for another waiting call.
     *
     * @throws RejectedExecutionException if the owner of the thread has shut it down
     */
    void hurry() {
        if (!running && (planned == null || routine)) {
            plan(Duration.ZERO, false);
        }
    }

    void cancel() {
        if (planned != null) {
            planned.cancel(false);
            planned = null;
        }
    }

    /** Returns whether the turn may run: not while another one is running. */
    boolean begin() {
        if (running) {
            return false;
        }
        running = true;
        planned = null;
        return true;
    }

    void end() {
        running = false;
    }
}
