package io.idgen.core.internal.time;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Daemon threads for background work. One timer of the JVM hands them the tasks that become due. Safe for many threads.
 */
public final class DaemonThreads implements TaskThreads {
    /** When an idle thread ends whose work needs none in between. */
    public static final Duration IDLE = Duration.ofSeconds(5);

    private static final ScheduledThreadPoolExecutor TIMER =
            new ScheduledThreadPoolExecutor(1, task -> daemon(task, "idgen-timer"));

    static {
        // an idle timer ends, because it would keep the classes of an application in memory after its end
        TIMER.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
        TIMER.allowCoreThreadTimeOut(true);
        TIMER.setRemoveOnCancelPolicy(true);
    }

    private final ThreadPoolExecutor threads;

    /**
     * Creates threads that all start before the first task, and remain until they are shut down: later tasks need no
     * new thread. Their queue has no lock: a virtual thread that parks for such a lock runs again only after all other
     * ready threads, and holds the lock of the calls until then.
     */
    public DaemonThreads(String name, int count) {
        this(new ThreadPoolExecutor(
                count, count, 0, TimeUnit.SECONDS, new LinkedTransferQueue<>(), task -> daemon(task, name)));
    }

    public DaemonThreads(ThreadPoolExecutor threads) {
        this.threads = threads;
    }

    /** Returns one thread that starts when there is work, and ends when it has been idle for a while. */
    public static ThreadPoolExecutor whenNeeded(String name, Duration idle, BlockingQueue<Runnable> queue) {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(1, 1, idle.toMillis(), TimeUnit.MILLISECONDS, queue, task -> daemon(task, name));
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    /** Returns a thread that is not started yet. It keeps neither the JVM alive nor objects of the calling thread. */
    public static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        // not the first caller's loader: this thread would prevent its garbage collection
        thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
        return thread;
    }

    @Override
    public Future<?> schedule(Runnable task, Duration delay) {
        TIMER.prestartCoreThread();
        threads.prestartAllCoreThreads();
        return delay.isZero()
                ? threads.submit(task)
                : TIMER.schedule(() -> threads.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void shutdown() {
        threads.shutdown();
    }
}
