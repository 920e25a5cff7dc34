package io.idgen.core.internal.task;

import io.idgen.core.SourceSnapshot;
import io.idgen.core.internal.text.FailureText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Attempts that have failed in a row.
 *
 * @param failures how many, at least 1
 * @param sinceNanos when the first one failed, by the monotonic clock
 * @param last what the last attempt threw
 */
public record Outage(int failures, long sinceNanos, Throwable last) {

    /** Returns the outage after one more failure; {@code before} is null if the last attempt did not fail. */
    public static Outage after(@Nullable Outage before, Throwable failure, long nowNanos) {
        return before == null
                ? new Outage(1, nowNanos, failure)
                : new Outage(before.failures + 1, before.sinceNanos, failure);
    }

    /** Returns the outage as a snapshot for users. */
    public SourceSnapshot.Outage snapshot(long nowNanos) {
        return new SourceSnapshot.Outage(duration(nowNanos), failures, FailureText.of(last));
    }

    /** Returns how long the outage has lasted. */
    public Duration duration(long nowNanos) {
        return Duration.ofNanos(nowNanos - sinceNanos);
    }
}
