package io.idgen.core.internal.task;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads for work in the background: daemons that start when there is something to do, and end when they are idle. */
public final class BackgroundThreads {
    private static final Duration IDLE_THREAD = Duration.ofSeconds(5);

    private BackgroundThreads() {}

    /** At most so many threads of this name. The owner shuts the executor down. */
    public static ScheduledExecutorService named(String threadName, int most) {
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(most, task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            // not the first caller's loader, which this thread would keep from the garbage collector
            thread.setContextClassLoader(BackgroundThreads.class.getClassLoader());
            return thread;
        });
        threads.setKeepAliveTime(IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS);
        threads.allowCoreThreadTimeOut(true);
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        threads.setRemoveOnCancelPolicy(true);
        return threads;
    }
}
