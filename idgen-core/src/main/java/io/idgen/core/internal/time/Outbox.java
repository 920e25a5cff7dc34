package io.idgen.core.internal.time;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Runs tasks of foreign code, one after the other, on a daemon thread. A task that blocks or throws delays only the
 * tasks of the same outbox. Adding a task neither blocks nor throws. Safe for many threads.
 */
public final class Outbox {
    /** How many tasks may wait. */
    public static final int CAPACITY = 256;

    private final Executor thread =
            DaemonThreads.whenNeeded("idgen-events", DaemonThreads.IDLE, new LinkedBlockingQueue<>(CAPACITY));
    private final AtomicLong dropped = new AtomicLong();

    /**
     * Adds a task, unless {@value #CAPACITY} tasks wait already, or the host allows no thread.
     *
     * @param droppedBefore receives how many tasks were dropped before this one, if any, on the daemon thread
     * @return 0 if it is added, otherwise how many tasks were dropped by now
     */
    public long add(Runnable task, LongConsumer droppedBefore) {
        try {
            thread.execute(() -> {
                long before = dropped.getAndSet(0);
                if (before > 0) {
                    droppedBefore.accept(before);
                }
                task.run();
            });
            return 0;
        } catch (RejectedExecutionException | Error e) { // an error if the host allows no thread
            return dropped.incrementAndGet();
        }
    }
}
