package io.idgen.core.internal.task;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.internal.text.FailureText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The last refusal of a store or an allocator, of a call or of the connection. For a short time, callers get it again
 * without a new transaction. That time doubles with each refusal in a row.
 */
public record Refusal(IdGenerationException reason, int inARow, long sinceNanos) {
    static final BackOff BACK_OFF = new BackOff(Duration.ofMillis(50), Duration.ofSeconds(5));

    /** Returns the next refusal; {@code before} is null if the last attempt was not refused. */
    public static Refusal after(@Nullable Refusal before, IdGenerationException reason, long nowNanos) {
        return new Refusal(reason, before == null ? 1 : before.inARow + 1, nowNanos);
    }

    /**
     * Returns the refusal of an outage, if the store cannot be reached: callers get it at once. Null for other
     * failures, for which callers wait.
     *
     * @param source the name for the exception of callers
     * @param what what callers want, for its message
     */
    public static @Nullable Refusal of(
            Outage outage, @Nullable Refusal before, String source, String what, long nowNanos) {
        if (!(outage.last() instanceof StoreUnreachableException unreachable)) {
            return null;
        }
        IdUnavailableException reason = new IdUnavailableException(
                ErrorCode.IDS_UNAVAILABLE,
                source,
                outage.duration(nowNanos),
                "no " + what + ": " + FailureText.of(unreachable) + "; idgen tries again in the background",
                unreachable);
        return after(before, reason, nowNanos);
    }

    /** Returns whether it is too early for another attempt. */
    public boolean holds(long nowNanos) {
        return nowNanos - sinceNanos < BACK_OFF.pause(inARow).toNanos();
    }
}
