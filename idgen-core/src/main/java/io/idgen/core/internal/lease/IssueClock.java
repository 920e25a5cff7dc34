package io.idgen.core.internal.lease;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.internal.time.TickScale;
import org.jspecify.annotations.Nullable;

/** The clock of the ids of a generator, and how a call waits when the window has no id. */
public interface IssueClock extends Window.Ticks {

    /** The state of a call that waits. */
    interface Wait {}

    /**
     * Parks until there may be an id, or throws when the time to wait is over. An interrupt stays set. A call may pause
     * several times.
     *
     * @param before the result of the previous pause of this call, or null
     * @param window has no id now
     * @return the argument of the next pause of this call
     */
    @Nullable
    Wait pause(@Nullable Wait before, Window window);

    /** The nanoseconds until a tick begins, or a short time if it has begun. */
    long nanosUntil(long tick);

    /** How often calls waited for the next tick, since all ids of one were used. */
    default long tickWaits() {
        return 0;
    }

    /** Throws if the calling thread is interrupted; the interrupt stays set. */
    static void checkInterrupt(String namespace, String awaited) {
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(namespace, awaited, null);
        }
    }

    static IdUnavailableException interrupted(String namespace, String awaited, @Nullable InterruptedException cause) {
        return new IdUnavailableException(
                ErrorCode.INTERRUPTED,
                namespace,
                "interrupted while waiting for " + awaited + ", for an id of namespace '" + namespace + "'",
                cause);
    }

    /** The nanoseconds until a tick begins, or a short time if it has begun. */
    static long parkNanos(TickScale scale, long millis, long tick, long nanosToNextMilli) {
        long left = scale.millisOf(tick) - millis;
        return Math.max(0, left - 1) * 1_000_000 + nanosToNextMilli;
    }
}
