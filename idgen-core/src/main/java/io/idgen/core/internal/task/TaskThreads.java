package io.idgen.core.internal.task;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The methods of a {@link ScheduledExecutorService} that idgen uses. A simulation runs the tasks in virtual time
 * instead.
 */
public interface TaskThreads extends Executor {
    /**
     * Runs a task after a delay.
     *
     * @throws RejectedExecutionException if the owner has shut the threads down
     */
    Future<?> schedule(Runnable task, Duration delay);

    /** Still runs the tasks that are due, and discards all others. */
    void shutdown();

    boolean isShutdown();

    /** Returns the threads of an executor. */
    static TaskThreads of(ScheduledExecutorService executor) {
        return new TaskThreads() {
            @Override
            public void execute(Runnable task) {
                executor.execute(task);
            }

            @Override
            public Future<?> schedule(Runnable task, Duration delay) {
                return executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            }

            @Override
            public void shutdown() {
                executor.shutdown();
            }

            @Override
            public boolean isShutdown() {
                return executor.isShutdown();
            }
        };
    }
}
