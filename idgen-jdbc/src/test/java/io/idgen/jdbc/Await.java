package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition that other threads or processes bring about. */
final class Await {
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(1);

    private Await() {}

    /** Returns when the condition holds; fails after a minute. */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, LONGEST, condition);
    }

    static void until(String what, Duration longest, Callable<Boolean> condition) throws Exception {
        long deadlineNanos = System.nanoTime() + longest.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                fail("not within %s: %s", longest, what);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
