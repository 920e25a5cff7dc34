package io.idgen.core.internal.task;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Daemon threads for background work. They start when there is work, and end when they are idle. */
public final class BackgroundThreads {
    private static final Duration IDLE_THREAD = Duration.ofSeconds(5);

    /** Hands tasks to executors when they are due, and does nothing else. */
    static final ScheduledExecutorService TIMER = named("idgen-timer", 1);

    private BackgroundThreads() {}

    /**
     * Returns an executor with at most this many threads of a name. The owner shuts it down. Its queue has no lock, as
     * that of a {@link ScheduledThreadPoolExecutor} has: a virtual thread that parks for such a lock runs again only
     * after all other ready threads, and holds the lock of the calls until then.
     */
    public static ExecutorService pool(String threadName, int most) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most,
                most,
                IDLE_THREAD.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedTransferQueue<>(),
                task -> daemon(task, threadName));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * Returns an executor with at most this many threads of a name, for tasks that are planned ahead. The owner shuts
     * it down.
     */
    public static ScheduledExecutorService named(String threadName, int most) {
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(most, task -> daemon(task, threadName));
        threads.setKeepAliveTime(IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS);
        threads.allowCoreThreadTimeOut(true);
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        threads.setRemoveOnCancelPolicy(true);
        return threads;
    }

    /** Returns a thread that is not started yet. It keeps neither the JVM alive nor objects of the calling thread. */
    public static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        // not the first caller's loader: this thread would prevent its garbage collection
        thread.setContextClassLoader(BackgroundThreads.class.getClassLoader());
        return thread;
    }
}
