package io.idgen.core.internal.task;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The methods of an {@link ExecutorService} that idgen uses. A simulation runs the tasks in virtual time
 * instead.
 *
 * <p>If a method throws an exception, the task never runs, so callers can submit it again. An executor of the JDK alone
 * does not guarantee that. If the host allows no new thread, it throws, but may keep the task and run it later. The
 * task would then run twice, perhaps in two threads at the same time.
 */
public interface TaskThreads extends Executor {
    /**
     * Runs a task after a delay.
     *
     * @throws RejectedExecutionException if the owner has shut the threads down, or they take no task for now
     * @throws OutOfMemoryError if the host allows no new thread for now
     */
    Future<?> schedule(Runnable task, Duration delay);

    @Override
    default void execute(Runnable task) {
        schedule(task, Duration.ZERO);
    }

    /** Still runs the tasks that are due, and discards all others. */
    void shutdown();

    boolean isShutdown();

    /**
     * Returns the threads of an executor. If the executor cannot plan tasks ahead, a shared timer hands it those that
     * are due.
     */
    static TaskThreads of(ExecutorService executor) {
        return new ExecutorThreads(
                executor, executor instanceof ScheduledExecutorService timer ? timer : BackgroundThreads.TIMER);
    }
}
