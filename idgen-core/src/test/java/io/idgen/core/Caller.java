package io.idgen.core;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;

/** A call in a thread of its own. */
final class Caller {
    private final FutureTask<Long> task;
    private final Thread thread;

    Caller(Callable<Long> call) {
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

    /** Returns when the thread waits with a deadline, which only those do who wait for ids, or for a hand-back. */
    Caller waits() {
        until("a thread that waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
        return this;
    }

    /** How often it has begun to wait, for whatever it was. */
    long waitedCount() {
        return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getWaitedCount();
    }

    boolean isDone() {
        return task.isDone();
    }

    void interrupt() {
        thread.interrupt();
    }

    long id() throws Exception {
        return task.get(30, SECONDS);
    }

    IdGenerationException failure() {
        return (IdGenerationException)
                assertThrows(ExecutionException.class, this::id).getCause();
    }

    /** Returns when it is so, which is soon. */
    static void until(String what, BooleanSupplier isSo) {
        long deadline = System.nanoTime() + SECONDS.toNanos(30);
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
