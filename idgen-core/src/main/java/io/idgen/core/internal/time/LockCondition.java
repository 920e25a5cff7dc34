package io.idgen.core.internal.time;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * What idgen uses of a {@link java.util.concurrent.locks.Condition}. A simulation waits in virtual time instead. Called
 * under the lock.
 */
public interface LockCondition {
    /** Releases the lock and waits for a signal, for at most this long. */
    void awaitNanos(long nanos) throws InterruptedException;

    /**
     * As {@link #awaitNanos(long)}, but may return without the lock if the thread no longer needs it. Thousands of
     * threads that wake at once then do not wait for each other.
     *
     * @param done whether the thread no longer needs the lock; called without it
     */
    default void awaitNanos(long nanos, BooleanSupplier done) throws InterruptedException {
        awaitNanos(nanos);
    }

    /** Wakes at least one of the threads that wait. */
    default void signal() {
        signalAll();
    }

    /** Wakes all threads that wait. */
    void signalAll();

    /**
     * A condition of the lock in real time, for threads that hold the lock once. A woken thread competes for the lock
     * at once. Threads of a {@link java.util.concurrent.locks.Condition} queue for it instead and wake each other one
     * by one, which is slower.
     */
    static LockCondition of(ReentrantLock lock) {
        Deque<Thread> waiting = new ArrayDeque<>(1); // most conditions have one thread
        return new LockCondition() {
            @Override
            public void awaitNanos(long nanos) throws InterruptedException {
                awaitNanos(nanos, () -> false);
            }

            @Override
            public void awaitNanos(long nanos, BooleanSupplier done) throws InterruptedException {
                Thread thread = Thread.currentThread();
                waiting.add(thread);
                lock.unlock();
                LockSupport.parkNanos(lock, nanos); // not at all if a signal or an interrupt came before
                if (done.getAsBoolean()) {
                    return;
                }
                lock.lock();
                waiting.remove(thread); // near the head: threads time out about in the order in which they came
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }

            @Override
            public void signal() {
                LockSupport.unpark(waiting.poll()); // the next signal is for another thread
            }

            @Override
            public void signalAll() {
                waiting.forEach(LockSupport::unpark);
                waiting.clear();
            }
        };
    }
}
