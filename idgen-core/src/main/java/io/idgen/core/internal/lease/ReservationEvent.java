package io.idgen.core.internal.lease;

import io.idgen.core.lease.LeaseStore.RowState;
import org.jspecify.annotations.Nullable;

/** An event of a process that reserves its worker id. */
interface ReservationEvent {

    /** The step that follows. */
    ReservationStep apply(ReservationProtocol protocol, ReservationState state);

    /** It is time to reserve the row, or to renew the reservation. */
    record Turn() implements ReservationEvent {
        @Override
        public ReservationStep apply(ReservationProtocol protocol, ReservationState state) {
            return protocol.turn(state);
        }
    }

    /** The source is closed and its window sealed. */
    record Leave() implements ReservationEvent {
        @Override
        public ReservationStep apply(ReservationProtocol protocol, ReservationState state) {
            return protocol.leave(state);
        }
    }

    /** The row exists with this layout, unless the namespace has fewer rows. */
    record Prepared(long gapMillis) implements ReservationEvent {
        @Override
        public ReservationStep apply(ReservationProtocol protocol, ReservationState state) {
            return protocol.prepared(state, gapMillis);
        }
    }

    /**
     * The row was read.
     *
     * @param seen null if it does not exist
     * @param floorTick the first tick of this process if it has written the row as it is now; otherwise null
     * @param highestTick the last tick that this process has issued ids of
     * @param hostMillis the time of the host's clock
     * @param freshSuffix the end of the next statement's token
     */
    record Looked(
            ReservationCommand.Look command,
            @Nullable RowState seen,
            @Nullable Long floorTick,
            long highestTick,
            long hostMillis,
            String freshSuffix)
            implements ReservationEvent {
        @Override
        public ReservationStep apply(ReservationProtocol protocol, ReservationState state) {
            return protocol.looked(state, this);
        }
    }

    /** The row was advanced, or another process was faster. */
    record FencedOff(boolean accepted) implements ReservationEvent {
        @Override
        public ReservationStep apply(ReservationProtocol protocol, ReservationState state) {
            return protocol.fencedOff(state, accepted);
        }
    }

    /** The row was changed, or it is not as it was seen. */
    record Reserved(ReservationCommand.Reserve command, boolean accepted) implements ReservationEvent {
        @Override
        public ReservationStep apply(ReservationProtocol protocol, ReservationState state) {
            return protocol.reserved(state, command, accepted);
        }
    }
}
