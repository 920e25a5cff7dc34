package io.idgen.core.internal.time;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.testing.TestThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {
    private final ThreadPoolExecutor executor = TestThreads.named("tasks", 2);
    private final DaemonThreads threads = new DaemonThreads(executor);

    @AfterEach
    void end() {
        threads.shutdown();
    }

    @Test
    void aTaskForLaterRunsOnTheSameThreadsAsOneForNow() throws Exception {
        for (Duration delay : new Duration[] {Duration.ZERO, Duration.ofMillis(1)}) {
            CompletableFuture<Thread> ran = new CompletableFuture<>();
            threads.schedule(() -> ran.complete(Thread.currentThread()), delay);

            assertThat(ran.get(30, SECONDS).getName()).isEqualTo("tasks");
            assertThat(ran.join().isDaemon()).isTrue();
        }
    }

    /** Otherwise a host that allows no new thread for a moment would delay refills and renewals. */
    @Test
    void allThreadsStartBeforeTheFirstTaskAndRemain() {
        assertThat(executor.getPoolSize()).isZero();

        threads.schedule(() -> {}, Duration.ofHours(1)).cancel(false);

        assertThat(executor.getPoolSize()).isEqualTo(2);
        assertThat(executor.allowsCoreThreadTimeOut()).isFalse();
    }

    @Test
    void afterTheEndNoTaskRuns() {
        threads.shutdown();

        assertThrows(RejectedExecutionException.class, () -> threads.schedule(() -> {}, Duration.ZERO));
    }

    @Test
    void aThreadKeepsNoLoaderOfTheThreadThatCreatesIt() {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(before) {}); // a new thread inherits its creator's
        Thread thread = DaemonThreads.daemon(() -> {}, "a thread");
        Thread.currentThread().setContextClassLoader(before);

        assertThat(thread.getContextClassLoader()).isSameAs(DaemonThreads.class.getClassLoader());
    }
}
