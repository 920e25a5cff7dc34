package io.idgen.zookeeper;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for conditions that other threads or processes fulfil. */
final class Await {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Await() {}

    /** Returns when the condition is true. Fails after a timeout. */
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
