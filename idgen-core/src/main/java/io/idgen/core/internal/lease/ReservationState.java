package io.idgen.core.internal.lease;

import io.idgen.core.lease.LeaseStore.RowState;
import org.jspecify.annotations.Nullable;

/**
 * The state of a reservation in a process. It contains everything that safety depends on, and nothing else. Immutable;
 * {@link ReservationProtocol} derives the next state from it.
 *
 * @param phase whether ids may be generated
 * @param reserved the row as this process left it, or null before it is reserved
 * @param floorTick the first tick that belongs to no earlier holder, once the row is reserved
 */
record ReservationState(Phase phase, @Nullable RowState reserved, long floorTick) {

    /** A process that has just started. */
    static final ReservationState START = new ReservationState(Phase.OPEN, null, 0);

    /** Whether ids may be generated. */
    enum Phase {
        /** The process reserves the row and renews the reservation. */
        OPEN,
        /** The source is closed. */
        CLOSED,
        /** The row no longer belongs to this process: no id is generated. */
        STOPPED
    }

    ReservationState in(Phase newPhase) {
        return new ReservationState(newPhase, reserved, floorTick);
    }

    ReservationState renewed(RowState row) {
        return new ReservationState(phase, row, floorTick);
    }

    ReservationState taken(RowState row, long newFloorTick) {
        return new ReservationState(phase, row, newFloorTick);
    }
}
