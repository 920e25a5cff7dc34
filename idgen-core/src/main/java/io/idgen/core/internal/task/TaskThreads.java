package io.idgen.core.internal.task;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What idgen uses of a {@link ScheduledExecutorService}; a simulation runs the tasks in virtual time instead. */
public interface TaskThreads extends Executor {
    /**
     * Runs a task after a delay.
     *
     * @throws RejectedExecutionException if the owner of the threads has ended them
     */
    Future<?> schedule(Runnable task, Duration delay);

    /** Runs the tasks that are due, and no others. */
    void shutdown();

    boolean isShutdown();

    /** The threads of an executor. */
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
