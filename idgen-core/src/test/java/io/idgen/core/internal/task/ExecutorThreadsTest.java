package io.idgen.core.internal.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/** Hands tasks to an executor that cannot plan them ahead. */
class ExecutorThreadsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = new VirtualTime();
    private final StarvedThreads timer = new StarvedThreads(time);
    private final StarvedThreads executor = new StarvedThreads(time);
    private final TaskThreads threads = new ExecutorThreads(executor, timer);
    private int runs;

    private void run() {
        runs++;
    }

    @Test
    void aTaskForLaterRunsWhenItIsDue() {
        threads.schedule(this::run, SECOND);

        time.pass(SECOND.minusMillis(1));
        assertThat(runs).isZero();
        time.pass(Duration.ofMillis(1));
        assertThat(runs).isEqualTo(1);
    }

    @Test
    void aTaskThatIsDueWhileTheHostHasNoThreadRunsOnceWhenItHas() {
        threads.schedule(this::run, SECOND);
        executor.starve();
        time.pass(SECOND.plus(SECOND));
        assertThat(runs).isZero();

        List<Runnable> refused = executor.recover();
        time.pass(NextTurn.RETRY);
        assertThat(runs).isEqualTo(1);
        refused.forEach(Runnable::run); // the executor has kept them

        assertThat(runs).isEqualTo(1);
    }

    @Test
    void aTaskThatIsDueAfterTheEndIsDiscarded() {
        threads.schedule(this::run, SECOND);
        threads.shutdown();
        executor.starve(() -> new RejectedExecutionException("shut down"));

        time.pass(SECOND.plus(SECOND));

        assertThat(runs).isZero();
        assertThat(executor.refused()).isEqualTo(1);
    }

    /** A virtual thread that parks for a lock of the queue holds up thousands of others for a second. */
    @Test
    void aPoolHasAQueueWithoutALock() {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) BackgroundThreads.pool("pool of a test", 1);

        assertThat(pool.getQueue()).isInstanceOf(LinkedTransferQueue.class);

        pool.shutdown();
    }
}
