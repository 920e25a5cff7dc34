package io.idgen.cli.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The threads of one measurement. They start together, and a failure of one thread is the failure of the measurement.
 */
public final class MeasuringThreads implements AutoCloseable {
    private final ExecutorService threads;
    private final List<Future<?>> tasks = new ArrayList<>();

    /** Starts a thread for each task. */
    public MeasuringThreads(List<? extends Runnable> work) {
        threads = Executors.newFixedThreadPool(work.size(), task -> {
            Thread thread = new Thread(task, "idgen-measure");
            thread.setDaemon(true);
            return thread;
        });
        CountDownLatch ready = new CountDownLatch(work.size());
        for (Runnable task : work) {
            tasks.add(threads.submit(() -> {
                ready.countDown();
                ready.await();
                task.run();
                return task;
            }));
        }
    }

    /** Waits until all threads are done, at most for the given time. */
    public void await(Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        try {
            for (Future<?> task : tasks) {
                task.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("a measuring thread failed", e.getCause());
        }
    }

    /** Waits until all threads are done; fails after a minute. */
    public void join() {
        await(Duration.ofMinutes(1));
        if (!tasks.stream().allMatch(Future::isDone)) {
            throw new IllegalStateException("a call for an id has not returned within a minute");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
