package io.idgen.jdbc.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.function.Executable;

/** Waits for a condition that other threads or processes bring about. */
public final class Await {
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(1);

    private Await() {}

    /** Returns when the condition holds; fails after three minutes. */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, LONGEST, condition);
    }

    public static void until(String what, Duration longest, Callable<Boolean> condition) throws Exception {
        if (!holds(longest, condition)) {
            throw new AssertionError("not within " + longest + ": " + what);
        }
    }

    /** Returns true as soon as the condition holds, and false if it does not hold within this time. */
    public static boolean holds(Duration longest, Callable<Boolean> condition) throws Exception {
        long deadlineNanos = System.nanoTime() + longest.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }

    /**
     * Repeats a call that fails until its message contains the reason, and returns that failure. A call that times out
     * before the first attempt has ended does not know the reason.
     */
    public static IdGenerationException failure(String reason, Executable call) {
        long deadlineNanos = System.nanoTime() + LONGEST.toNanos();
        while (true) {
            IdGenerationException e = assertThrows(IdGenerationException.class, call);
            if (e.getMessage().contains(reason)) {
                return e;
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("not within " + LONGEST + ": " + reason, e);
            }
        }
    }

    /** Closes a source and waits until it has handed everything back, for which {@code close()} waits only a second. */
    public static void closed(IdSource source) throws Exception {
        source.closeAsync().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
    }
}
