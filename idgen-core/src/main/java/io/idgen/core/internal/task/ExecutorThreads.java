package io.idgen.core.internal.task;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The threads of an executor, and a timer for tasks that run later; both may be the same. Safe for many threads. */
final class ExecutorThreads implements TaskThreads {
    private final ExecutorService executor;
    private final ScheduledExecutorService timer;

    ExecutorThreads(ExecutorService executor, ScheduledExecutorService timer) {
        this.executor = executor;
        this.timer = timer;
    }

    /** A task that runs at most once, even if an executor keeps it although it has thrown an exception. */
    private static final class Once extends CompletableFuture<Void> implements Runnable {
        private final Runnable task;
        private volatile @Nullable Future<?> planned;

        Once(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (complete(null)) {
                task.run();
            }
        }

        @Override
        public boolean cancel(boolean interrupts) {
            Future<?> later = planned;
            if (later != null) {
                later.cancel(false); // its executor forgets it
            }
            return super.cancel(interrupts);
        }
    }

    @Override
    public Future<?> schedule(Runnable task, Duration delay) {
        Once once = new Once(task);
        try {
            if (delay.isZero()) {
                executor.submit(once);
            } else {
                once.planned = plan(timer == executor ? once : () -> handOver(once), delay);
            }
        } catch (RuntimeException | Error e) {
            if (once.cancel(false)) {
                throw e;
            }
        }
        return once; // if it was not cancelled, it runs already
    }

    private Future<?> plan(Runnable task, Duration delay) {
        return timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Hands a task to the executor. If the host allows no new thread for now, tries again until it does. */
    private void handOver(Once task) {
        try {
            executor.submit(task);
        } catch (RuntimeException | Error e) {
            if (!executor.isShutdown() && !task.isDone()) {
                plan(() -> handOver(task), NextTurn.RETRY);
            }
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
}
