package io.idgen.core.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads wait for a condition of a lock in real time. */
class LockConditionTest {
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final LockCondition condition = LockCondition.of(lock);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private int waiting; // guarded by the lock

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void aSignalWakesAThread() throws Exception {
        Future<?> other = waits();

        signal(condition::signal);

        other.get();
    }

    @Test
    void aSignalToAllWakesAll() throws Exception {
        List<Future<?>> all = List.of(waits(), waits(), waits());

        signal(condition::signalAll);

        for (Future<?> each : all) {
            each.get();
        }
    }

    @Test
    void aThreadThatNoLongerNeedsTheLockWakesWhileAnotherHoldsIt() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Future<?> other = waits(() -> condition.awaitNanos(HOUR_NANOS, done::get));

        lock.lock();
        try {
            done.set(true);
            condition.signal();

            other.get();
        } finally {
            lock.unlock();
        }
    }

    @Test
    void aThreadThatNeedsTheLockHasItWhenItWakes() throws Exception {
        lock.lock();

        condition.awaitNanos(1, () -> false);

        assertThat(lock.isHeldByCurrentThread()).isTrue();
    }

    private interface Wait {
        void await() throws InterruptedException;
    }

    private Future<?> waits() {
        return waits(() -> condition.awaitNanos(HOUR_NANOS));
    }

    /** Starts a thread that waits for a signal, and returns when it has released the lock. */
    private Future<?> waits(Wait wait) {
        int before = count();
        Future<?> other = threads.submit(() -> {
            lock.lock();
            try {
                waiting++;
                wait.await();
            } finally {
                if (lock.isHeldByCurrentThread()) {
                    lock.unlock();
                }
            }
            return null;
        });
        while (count() == before) {
            Thread.onSpinWait();
        }
        return other;
    }

    private int count() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    private void signal(Runnable signal) {
        lock.lock();
        try {
            signal.run();
        } finally {
            lock.unlock();
        }
    }
}
