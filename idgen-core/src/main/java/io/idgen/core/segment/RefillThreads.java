package io.idgen.core.segment;

import io.idgen.core.internal.time.DaemonThreads;
import io.idgen.core.internal.time.TaskThreads;

/**
 * Daemon threads that fetch segments, for sources that share them: one of them serves any number of sources, as long as
 * their allocators answer. They start with the first refill, and remain until they are closed. Safe for many threads.
 */
public final class RefillThreads implements AutoCloseable {
    final TaskThreads threads;

    /**
     * Creates threads that are not started yet.
     *
     * @param name of each thread
     * @param count how many segments are fetched at once, at least 1
     */
    public RefillThreads(String name, int count) {
        this.threads = new DaemonThreads(name, count);
    }

    /** Lets refills that are under way end, and starts no other one. Close the sources first. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
