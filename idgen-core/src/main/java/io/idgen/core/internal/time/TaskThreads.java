package io.idgen.core.internal.time;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/** Threads that run tasks now or later. A simulation runs the tasks in virtual time instead. */
public interface TaskThreads {
    /**
     * Runs a task after a delay.
     *
     * @throws RejectedExecutionException if the threads are shut down
     * @throws OutOfMemoryError if no thread is left, and the host allows no new one
     */
    Future<?> schedule(Runnable task, Duration delay);

    /** Still runs the tasks that are due, and discards all others. */
    void shutdown();
}
