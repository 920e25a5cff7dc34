package io.idgen.core.internal.time;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock for short sections, which thousands of virtual threads may want at once. A thread that finds it held yields
 * and tries again, and queues only if that fails often. A virtual thread at the head of a queue gets the lock when the
 * scheduler lets it run, after all that are ready, and a refill behind it would wait for seconds.
 */
@SuppressWarnings("serial") // is not written to streams
public final class YieldingLock extends ReentrantLock {
    static final int TRIES = 1_000;

    @Override
    public void lock() {
        for (int i = 0; i < TRIES; i++) {
            if (tryLock()) {
                return;
            }
            Thread.yield();
        }
        super.lock();
    }
}
