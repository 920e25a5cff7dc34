package io.idgen.core.internal.task;

import io.idgen.core.internal.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * An executor in virtual time that refuses tasks while its host has no thread left. Like {@link
 * ScheduledThreadPoolExecutor}, it throws and keeps the task: the task runs as soon as the host has threads again.
 */
public final class StarvedThreads extends ScheduledThreadPoolExecutor {
    private final VirtualTime time;
    private final List<Runnable> kept = new ArrayList<>();
    // the JDK throws an OutOfMemoryError, at which JUnit would end the JVM of the tests
    private Supplier<? extends Throwable> refusal = () -> new InternalError("unable to create native thread");
    private boolean starved;
    private int refused;

    public StarvedThreads(VirtualTime time) {
        super(0);
        this.time = time;
    }

    /** Returns the threads of a host whose timer still works while its executor finds no thread. */
    public static TaskThreads withTimer(StarvedThreads executor, StarvedThreads timer) {
        return new ExecutorThreads(executor, timer);
    }

    /** Refuses all tasks from now on. */
    public void starve() {
        starved = true;
    }

    /** Refuses all tasks from now on, with this exception. */
    public void starve(Supplier<? extends RuntimeException> exception) {
        refusal = exception;
        starved = true;
    }

    /** Accepts tasks again, and returns those that it refused and kept. */
    public List<Runnable> recover() {
        starved = false;
        List<Runnable> late = List.copyOf(kept);
        kept.clear();
        return late;
    }

    /** Returns how many tasks it has refused. */
    public int refused() {
        return refused;
    }

    private static final class Task extends FutureTask<Void> implements ScheduledFuture<Void> {
        Task(Runnable action) {
            super(action, null);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        if (starved) {
            refused++;
            kept.add(command);
            throw StarvedThreads.<RuntimeException>unchecked(refusal.get());
        }
        Task task = new Task(command);
        time.after(unit.toNanos(delay), task);
        return task;
    }

    @Override
    public void execute(Runnable command) {
        schedule(command, 0, TimeUnit.NANOSECONDS);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T unchecked(Throwable e) throws T {
        throw (T) e;
    }
}
