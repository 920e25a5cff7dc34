package io.idgen.core.internal.task;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks of foreign code, one after the other, on a daemon thread. A task that blocks or throws delays only the
 * tasks of the same outbox. Adding a task neither blocks nor throws. Safe for many threads.
 *
 * <p>All outboxes share a pool of threads. It is empty while there is nothing to run.
 */
public final class Outbox {
    /** How many tasks may wait. */
    public static final int CAPACITY = 256;

    private static final ExecutorService THREADS = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            5,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> BackgroundThreads.daemon(task, "idgen-events"));

    private final ReentrantLock lock = new ReentrantLock();

    // Both are guarded by the lock.
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    /**
     * Adds a task.
     *
     * @return false if {@value #CAPACITY} tasks wait already; then the task is not run
     */
    boolean add(Runnable task) {
        lock.lock();
        try {
            if (waiting.size() >= CAPACITY) {
                return false;
            }
            waiting.add(task);
            if (!running) {
                running = true;
                THREADS.execute(this::runAll);
            }
        } catch (RuntimeException | Error e) {
            running = false; // for example, the host allows no more threads; the next task tries again
        } finally {
            lock.unlock();
        }
        return true;
    }

    private void runAll() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (Throwable e) {
                report(e);
            }
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            Runnable task = waiting.poll();
            running = task != null;
            return task;
        } finally {
            lock.unlock();
        }
    }

    /** Reports what a logger throws, which cannot be logged: passes it to the handler of uncaught exceptions. */
    private static void report(Throwable e) {
        try {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        } catch (Throwable handlers) {
            // the JVM ignores what an uncaught exception handler throws, and so does this
        }
    }
}
