package io.idgen.core.snowflake;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.internal.time.Durations;
import java.time.Duration;
import java.time.Instant;

/**
 * The clock is behind the last id by more than the {@link ClockPolicy} allows. No id was issued, and no state changed.
 */
public class ClockMovedBackwardsException extends IdGenerationException {
    private static final long serialVersionUID = 1L;

    private final Instant last;
    private final Instant now;
    private final Duration limit;

    ClockMovedBackwardsException(Instant last, Instant now, Duration limit) {
        super(
                ErrorCode.CLOCK_MOVED_BACKWARDS,
                "clock is " + Durations.text(Duration.between(now, last)) + " behind the last id, limit "
                        + Durations.text(limit) + " (last " + last + ", now " + now
                        + "); correct the host's clock, or wait until it has passed the last id. Do not restart this process"
                        + " or change the clock policy before that: a restart forgets the last id, and ids repeat");
        this.last = last;
        this.now = now;
        this.limit = limit;
    }

    /**
     * Returns the time of the last id.
     *
     * @return the start of the last id's tick
     */
    public Instant last() {
        return last;
    }

    /**
     * Returns the time that the clock showed.
     *
     * @return a time before {@link #last()}
     */
    public Instant now() {
        return now;
    }

    /**
     * Returns how far the clock may be behind the last id. It is both how far ids may run ahead and how long a call
     * waits.
     *
     * @return the limit, 0 for {@link ClockPolicy#fail()}
     */
    public Duration limit() {
        return limit;
    }
}
