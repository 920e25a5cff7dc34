package io.idgen.core.internal.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.LeaseStore.Terms;
import org.jspecify.annotations.Nullable;

/**
 * A statement that {@link ReservationProtocol} sends next; its answer is an event. The terms have exactly one worker
 * id.
 */
interface ReservationCommand {

    /**
     * Sends it. Blocks for as long as the store does.
     *
     * @param process read after the answer
     * @return the answer
     * @throws AllocationException if there is no answer, or the store refuses
     */
    ReservationEvent send(LeaseStore store, Terms terms, Issuer process);

    /** What a statement depends on besides the row. */
    interface Issuer {
        /** Returns the last tick that this process has issued ids of. */
        long highestTick();

        /** Returns the time of the host's clock. */
        long hostMillis();

        /** Returns a text that no other statement gets. */
        String freshSuffix();

        /** Returns the first tick of this process if it has written the row as it is now; otherwise null. */
        @Nullable
        Long floorTickIn(RowState seen);
    }

    /** The purpose of a statement. */
    enum Purpose {
        /** Reserves the row for this process. */
        TAKE,
        /** Renews the reservation. */
        RENEW,
        /** Checks whether the row has changed. A read may be stale; an update that does not match is proof. */
        PROVE,
        /** Leaves the row reserved without a process. */
        LEAVE
    }

    /** Creates the row if it is missing, compares the layout, and reads how far a row of another server is advanced. */
    record Prepare() implements ReservationCommand {
        @Override
        public ReservationEvent send(LeaseStore store, Terms terms, Issuer process) {
            return new ReservationEvent.Prepared(store.candidates(terms, null).gapMillis());
        }
    }

    /** Reads the row. */
    record Look(Purpose purpose, long gapMillis) implements ReservationCommand {
        @Override
        public ReservationEvent send(LeaseStore store, Terms terms, Issuer process) {
            RowState seen = store.state(terms, terms.firstWorkerId()).orElse(null);
            return new ReservationEvent.Looked(
                    this,
                    seen,
                    seen == null ? null : process.floorTickIn(seen),
                    process.highestTick(),
                    process.hostMillis(),
                    process.freshSuffix());
        }
    }

    /** Advances a row of another server beyond all ticks that this server may have granted. */
    record FenceOff(Row row, long horizonMillis, long gapMillis) implements ReservationCommand {
        @Override
        public ReservationEvent send(LeaseStore store, Terms terms, Issuer process) {
            return new ReservationEvent.FencedOff(store.advance(terms, row, horizonMillis, gapMillis));
        }
    }

    /**
     * Changes the row if it is as it was seen.
     *
     * @param seen the expected row
     * @param token the token of the process that holds it from now on, or null for none
     * @param horizonMillis the process uses only ticks below it
     * @param floorTick the first tick of the process
     */
    record Reserve(Purpose purpose, RowState seen, @Nullable String token, long horizonMillis, long floorTick)
            implements ReservationCommand {
        @Override
        public ReservationEvent send(LeaseStore store, Terms terms, Issuer process) {
            return new ReservationEvent.Reserved(
                    this, store.reserve(terms, terms.firstWorkerId(), seen, token, horizonMillis));
        }
    }
}
