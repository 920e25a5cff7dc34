package io.idgen.core.internal.lease;

import io.idgen.core.lease.LeaseStore.RowState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What follows from an event.
 *
 * @param state what the process knows now
 * @param command what it asks the store next, or null if the turn is over
 * @param pause until the next turn, if this one is over
 * @param notice what has changed
 * @param found the row that the notice is about, or null
 */
record ReservationStep(
        ReservationState state,
        @Nullable ReservationCommand command,
        Duration pause,
        Notice notice,
        @Nullable RowState found) {

    /** What a step has changed, for those who watch. */
    enum Notice {
        /** Nothing to report. */
        NONE,
        /** Another process holds the row and counts as alive. */
        HELD,
        /** The row is reserved for this process. */
        RESERVED,
        /** The row is not this process's any more. */
        LOST
    }

    static ReservationStep send(ReservationState state, ReservationCommand command) {
        return new ReservationStep(state, command, Duration.ZERO, Notice.NONE, null);
    }

    static ReservationStep rest(ReservationState state, Duration pause) {
        return rest(state, pause, Notice.NONE, null);
    }

    static ReservationStep rest(ReservationState state, Duration pause, Notice notice, @Nullable RowState found) {
        return new ReservationStep(state, null, pause, notice, found);
    }
}
