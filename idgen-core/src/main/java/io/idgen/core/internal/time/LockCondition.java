package io.idgen.core.internal.time;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The methods of a {@link Condition} that idgen uses. A simulation waits in virtual time instead. Called under the
 * lock.
 */
public interface LockCondition {
    /** Releases the lock and waits for a signal, for at most this long. */
    void awaitNanos(long nanos) throws InterruptedException;

    /** Wakes at least one of the threads that wait. */
    default void signal() {
        signalAll();
    }

    /** Wakes all threads that wait. */
    void signalAll();

    /** A condition of the lock in real time. */
    static LockCondition of(ReentrantLock lock) {
        Condition condition = lock.newCondition();
        return new LockCondition() {
            @Override
            @SuppressWarnings("WaitNotInLoop") // the caller loops
            public void awaitNanos(long nanos) throws InterruptedException {
                condition.awaitNanos(nanos);
            }

            @Override
            public void signal() {
                condition.signal();
            }

            @Override
            public void signalAll() {
                condition.signalAll();
            }
        };
    }
}
