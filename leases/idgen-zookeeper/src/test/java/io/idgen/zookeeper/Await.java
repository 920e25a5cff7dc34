package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition that other threads or processes bring about. */
final class Await {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Await() {}

    /** Returns when the condition holds; fails if it never does. */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadlineNanos = System.nanoTime() + LONGEST.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                fail("not within %s: %s", LONGEST, what);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
