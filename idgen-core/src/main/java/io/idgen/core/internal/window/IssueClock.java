package io.idgen.core.internal.window;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.internal.time.TickScale;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The time that ids tell, and how a call waits for it when a window has no id at this moment. */
public interface IssueClock extends Window.Ticks {

    /** What a clock remembers of a call that waits. */
    interface Wait {}

    /**
     * Parks for a part of the time until an id can be had, or throws when patience is over; the interrupt of a waiting thread
     * stays set.
     *
     * @param before what the last pause of this call gave, or null
     * @param window which has no id
     * @return for the next pause of this call
     */
    @Nullable
    Wait pause(@Nullable Wait before, Window window);

    /** By how much the time in the next id is behind the time that it is. */
    default Duration lag() {
        return Duration.ZERO;
    }

    /** Refuses to wait in a thread that is interrupted; the interrupt stays set. */
    static void checkInterrupt(String namespace, String awaited) {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(namespace, awaited, null);
        }
    }

    static IdUnavailableException interrupted(String namespace, String awaited, @Nullable InterruptedException cause) {
        return new IdUnavailableException(
                ErrorCode.INTERRUPTED,
                namespace,
                Duration.ZERO,
                "interrupted while waiting for " + awaited + ", for an id of namespace '" + namespace + "'",
                cause);
    }

    /** How long until a tick begins, or a short turn if it has begun meanwhile. */
    static long parkNanos(TickScale scale, long millis, long tick, long nanosToNextMilli) {
        long left = scale.instantOf(tick).toEpochMilli() - millis;
        return Math.max(0, left - 1) * 1_000_000 + nanosToNextMilli;
    }
}
