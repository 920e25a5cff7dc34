package io.idgen.core.internal.lease;

import io.idgen.core.lease.LeaseStore.RowState;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a reservation in a process. It contains everything that safety depends on, and nothing else. Immutable;
 * {@link ReservationProtocol} derives the next state from it.
 *
 * @param phase whether ids may be generated
 * @param token identifies this acquisition of the row; each statement writes it with a suffix of its own, so that a
 *     process distinguishes its statements from those of a copy
 * @param reserved the row as the store has last confirmed it to this process, or null before it is reserved
 * @param floorTick the first tick that belongs to no earlier holder, once the row is reserved
 * @param asked the statements since then that were not confirmed; they may have taken effect
 */
record ReservationState(Phase phase, String token, @Nullable RowState reserved, long floorTick, Set<Asked> asked) {

    /** A process that has just started. */
    static final ReservationState START = acquiring("none");

    /** Whether ids may be generated. */
    enum Phase {
        /** The process reserves the row and renews the reservation. */
        OPEN,
        /** A checkpoint of the process is under way. */
        SUSPENDED,
        /** The source is closed. */
        CLOSED,
        /** The row no longer belongs to this process: no id is generated. */
        STOPPED
    }

    /**
     * What a statement writes into the row, if it takes effect.
     *
     * @param floorTick the first tick that is then this process's
     */
    record Asked(String token, long fence, long horizonMillis, long floorTick) {
        boolean isIn(RowState seen) {
            return token.equals(seen.token()) && fence == seen.fence() && horizonMillis == seen.horizonMillis();
        }
    }

    /** Returns the state of a process that has not reserved the row yet. */
    static ReservationState acquiring(String token) {
        return new ReservationState(Phase.OPEN, token, null, 0, Set.of());
    }

    ReservationState in(Phase newPhase) {
        return new ReservationState(newPhase, token, reserved, floorTick, asked);
    }

    /** The store has confirmed a statement. An earlier one without an answer no longer matches the row. */
    ReservationState confirmed(RowState row, long newFloorTick) {
        return new ReservationState(phase, token, row, newFloorTick, Set.of());
    }

    ReservationState asking(Asked statement) {
        Set<Asked> all = new HashSet<>(asked);
        all.add(statement);
        return new ReservationState(phase, token, reserved, floorTick, Set.copyOf(all));
    }

    /** Returns the first tick of this process if it has written the row as it is now; otherwise null. */
    @Nullable
    Long floorTickIn(RowState seen) {
        RowState known = reserved;
        if (!seen.reserved()) {
            return null;
        }
        if (known != null
                && Objects.equals(known.token(), seen.token())
                && known.fence() == seen.fence()
                && known.horizonMillis() == seen.horizonMillis()) {
            return floorTick;
        }
        return asked.stream()
                .filter(each -> each.isIn(seen))
                .map(Asked::floorTick)
                .max(Long::compare)
                .orElse(null);
    }

    /** Returns whether this acquisition, or that of a copy, has written the row. */
    boolean isTokenOf(RowState seen) {
        return seen.reserved() && seen.token() != null && seen.token().startsWith(token);
    }
}
