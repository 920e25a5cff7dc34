package io.idgen.core.internal.lease;

import io.idgen.core.internal.task.TaskThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** When a background task runs next; at most one turn is planned and one is running. Not for several threads. */
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
     * Plans the next turn, in place of the one that was planned before.
     *
     * @param isRoutine whether nobody waits for it, so that one who does may have it earlier
     * @throws RejectedExecutionException if the owner of the thread has ended it
     */
    void plan(Duration delay, boolean isRoutine) {
        cancel();
        routine = isRoutine;
        planned = thread.schedule(turn, delay);
    }

    /**
     * Has a turn run now, unless one is running or is planned for somebody else who waits.
     *
     * @throws RejectedExecutionException if the owner of the thread has ended it
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

    /** Whether the turn may run: false if one is running. */
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
