package io.idgen.core.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that share a lock. */
class YieldingLockTest {
    private final YieldingLock lock = new YieldingLock();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private int shared; // guarded by the lock

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void oneThreadAtATimeHoldsIt() throws Exception {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Runnable locks = i == 0 ? lock::lockFirst : lock::lock;
            all.add(threads.submit(() -> {
                for (int j = 0; j < 10_000; j++) {
                    locks.run();
                    try {
                        shared = shared + 1;
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }

        assertThat(shared).isEqualTo(80_000);
    }

    @Test
    void theThreadThatAllOthersWaitForLocksBeforeThem() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        lock.lock();
        Future<?> first = threads.submit(() -> {
            lock.lockFirst();
            try {
                over.await();
            } finally {
                lock.unlock();
            }
            return null;
        });
        while (!lock.hasQueuedThreads()) {
            Thread.onSpinWait();
        }
        lock.unlock();

        assertThat(lock.lockUnless(() -> OptionalLong.of(7))).hasValue(7);
        over.countDown();
        first.get();
    }

    @Test
    void aThreadDoesNotLockIfItFindsWhatItWantsMeanwhile() throws Exception {
        lock.lock();
        Future<OptionalLong> other = threads.submit(() -> lock.lockUnless(() -> OptionalLong.of(7)));

        assertThat(other.get()).hasValue(7);
        lock.unlock();
        assertThat(lock.lockUnless(() -> OptionalLong.of(7))).isEmpty();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
    }
}
