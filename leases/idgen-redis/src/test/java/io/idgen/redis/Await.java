package io.idgen.redis;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for conditions that other threads or processes fulfil. */
final class Await {
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private Await() {}

    /** Returns when the condition is true. Fails after a timeout. */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, LONGEST, condition);
    }

    static void until(String what, Duration longest, Callable<Boolean> condition) throws Exception {
        long deadlineNanos = System.nanoTime() + longest.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("not within " + longest + ": " + what);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
