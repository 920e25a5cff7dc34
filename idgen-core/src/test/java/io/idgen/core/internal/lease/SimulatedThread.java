package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.TaskThreads;
import io.idgen.core.internal.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * A thread of a process in {@link VirtualTime}. It runs one task at a time, and none while the process is stopped or
 * after it was killed.
 */
public final class SimulatedThread implements TaskThreads {
    private final VirtualTime time;
    private final Consumer<Throwable> escaped;
    private final Deque<Task> ready = new ArrayDeque<>();
    private boolean busy;
    private boolean shut;
    private boolean killed;
    private long stoppedUntil = Long.MIN_VALUE;

    /** Creates a thread that reports the exceptions of its tasks. */
    public SimulatedThread(VirtualTime time, Consumer<Throwable> escaped) {
        this.time = time;
        this.escaped = escaped;
    }

    private static final class Task extends FutureTask<Void> {
        final long delayNanos;

        Task(Runnable action, long delayNanos) {
            super(action, null);
            this.delayNanos = delayNanos;
        }
    }

    @Override
    public Future<?> schedule(Runnable action, Duration delay) {
        if (shut) {
            throw new RejectedExecutionException("shut down");
        }
        Task task = new Task(action, delay.toNanos());
        time.after(task.delayNanos, () -> run(task));
        return task;
    }

    private void run(Task task) {
        if (killed || task.isCancelled() || (shut && task.delayNanos > 0)) {
            return;
        }
        if (isStopped()) {
            time.after(stoppedUntil - time.nanoTime(), () -> run(task));
            return;
        }
        ready.add(task);
        while (!busy && !ready.isEmpty()) {
            busy = true;
            try {
                finish(ready.remove());
            } finally {
                busy = false;
            }
        }
    }

    private void finish(Task task) {
        task.run();
        try {
            if (!task.isCancelled()) {
                task.get();
            }
        } catch (ExecutionException e) {
            escaped.accept(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError("the task is done", e);
        }
    }

    public boolean isStopped() {
        return stoppedUntil > time.nanoTime();
    }

    public long stoppedUntil() {
        return stoppedUntil;
    }

    public void stopUntil(long nanos) {
        stoppedUntil = nanos;
    }

    public void kill() {
        killed = true;
    }

    public boolean isKilled() {
        return killed;
    }

    @Override
    public void shutdown() {
        shut = true;
    }
}
