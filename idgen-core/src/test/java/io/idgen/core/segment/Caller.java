package io.idgen.core.segment;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdGenerationException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;

/** A call in a thread of its own. */
public final class Caller {
    private final FutureTask<Long> task;
    private final Thread thread;

    public Caller(Callable<Long> call) {
        task = new FutureTask<>(call);
        thread = new Thread(task, "caller");
        thread.setDaemon(true);
        thread.start();
    }

    static Caller of(Runnable call) {
        return new Caller(() -> {
            call.run();
            return 0L;
        });
    }

    /** Returns when the thread waits with a timeout. Only waits for ids or for a hand-back have one. */
    public Caller waits() {
        until("a thread that waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
        return this;
    }

    /** Returns how often the thread has begun to wait, for any reason. */
    public long waitedCount() {
        return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getWaitedCount();
    }

    public boolean isDone() {
        return task.isDone();
    }

    public void interrupt() {
        thread.interrupt();
    }

    public long id() throws Exception {
        return task.get(30, SECONDS);
    }

    public IdGenerationException failure() {
        return (IdGenerationException)
                assertThrows(ExecutionException.class, this::id).getCause();
    }

    /** Returns when the condition holds; fails if that takes too long. */
    public static void until(String what, BooleanSupplier isSo) {
        long deadline = System.nanoTime() + SECONDS.toNanos(30);
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
