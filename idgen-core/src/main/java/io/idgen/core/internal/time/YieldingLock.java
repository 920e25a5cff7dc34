package io.idgen.core.internal.time;

import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A lock for short sections, which thousands of virtual threads may want at once. A thread that finds it held yields
 * and tries again, and queues only if that fails often. A virtual thread at the head of a queue gets the lock when the
 * scheduler lets it run, after all that are ready, and a refill behind it would wait for seconds.
 */
@SuppressWarnings("serial") // is not written to streams
public final class YieldingLock extends ReentrantLock {
    private static final int TRIES = 300;
    private static final Supplier<OptionalLong> NOWHERE = OptionalLong::empty;

    private volatile boolean reserved; // for the thread in lockFirst

    @Override
    public void lock() {
        lockUnless(NOWHERE);
    }

    /**
     * Locks before all threads that want the lock already. One thread has this right, the one that all others wait for:
     * of a crowd that tries again and again, it could otherwise be the last.
     */
    public void lockFirst() {
        reserved = true;
        try {
            for (int i = 0; i < TRIES; i++) {
                if (tryLock()) {
                    return;
                }
                Thread.yield();
            }
            super.lock();
        } finally {
            reserved = false;
        }
    }

    /**
     * Locks, unless it is held and what the thread wants is found elsewhere in the meantime.
     *
     * @param elsewhere returns what the thread wants, or nothing; called without the lock
     * @return nothing if the thread holds the lock now, otherwise what was found
     */
    public OptionalLong lockUnless(Supplier<OptionalLong> elsewhere) {
        for (int i = 0; i < TRIES; i++) {
            if (!reserved && tryLock()) {
                return OptionalLong.empty();
            }
            Thread.yield();
            OptionalLong found = elsewhere.get();
            if (found.isPresent()) {
                return found;
            }
        }
        super.lock();
        return OptionalLong.empty();
    }
}
