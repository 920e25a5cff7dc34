package io.idgen.core.internal.task;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The methods of a {@link ScheduledExecutorService} that idgen uses. A simulation runs the tasks in virtual time
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

    /** Returns the threads of an executor. */
    static TaskThreads of(ScheduledExecutorService executor) {
        return new TaskThreads() {
            @Override
            public Future<?> schedule(Runnable task, Duration delay) {
                AtomicBoolean decided = new AtomicBoolean(); // whether it runs
                try {
                    return executor.schedule(
                            () -> {
                                if (decided.compareAndSet(false, true)) {
                                    task.run();
                                }
                            },
                            delay.toNanos(),
                            TimeUnit.NANOSECONDS);
                } catch (RuntimeException | Error e) {
                    if (decided.compareAndSet(false, true)) {
                        throw e; // if the executor has kept the task all the same, it does nothing
                    }
                    return CompletableFuture.completedFuture(null); // it runs already
                }
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
