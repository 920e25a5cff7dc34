package io.idgen.core.testing;

import io.idgen.core.internal.time.DaemonThreads;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Executors on which tests run refills beside tasks of their own. */
public final class TestThreads {
    private TestThreads() {}

    /** Returns an executor with this many threads of a name. */
    public static ScheduledThreadPoolExecutor named(String name, int count) {
        return new ScheduledThreadPoolExecutor(count, task -> DaemonThreads.daemon(task, name));
    }
}
