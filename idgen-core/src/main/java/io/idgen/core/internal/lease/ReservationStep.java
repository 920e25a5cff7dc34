package io.idgen.core.internal.lease;

import io.idgen.core.lease.LeaseStore.RowState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result of an event.
 *
 * @param state the new state of the process
 * @param command the next statement to the store, or null if the turn is over
 * @param pause the time until the next turn, if this one is over
 * @param notice what has changed
 * @param found the row that the notice is about, or null
 */
record ReservationStep(
        ReservationState state,
        @Nullable ReservationCommand command,
        Duration pause,
        Notice notice,
        @Nullable RowState found) {

    /** A change that events and log lines report. */
    enum Notice {
        /** There is nothing to report. */
        NONE,
        /** Another process holds the row and counts as alive. */
        HELD,
        /** The row is reserved for this process. */
        RESERVED,
        /** The row no longer belongs to this process. */
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
