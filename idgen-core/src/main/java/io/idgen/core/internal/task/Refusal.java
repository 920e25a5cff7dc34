package io.idgen.core.internal.task;

import io.idgen.core.IdGenerationException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The last refusal of a store or an allocator. For a short time callers get it again without a new transaction; after
 * each refusal in a row that time doubles.
 */
public record Refusal(IdGenerationException reason, int inARow, long sinceNanos) {
    static final BackOff BACK_OFF = new BackOff(Duration.ofMillis(50), Duration.ofSeconds(5));

    /** The refusal after another one, which is null if the last attempt was not refused. */
    public static Refusal after(@Nullable Refusal before, IdGenerationException reason, long nowNanos) {
        return new Refusal(reason, before == null ? 1 : before.inARow + 1, nowNanos);
    }

    /** Whether it is too early for another attempt. */
    public boolean holds(long nowNanos) {
        return nowNanos - sinceNanos < BACK_OFF.pause(inARow).toNanos();
    }
}
