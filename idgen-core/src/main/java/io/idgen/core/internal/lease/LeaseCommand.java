package io.idgen.core.internal.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseStore.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One statement that {@link LeaseProtocol} wants to be sent; its answer is an event. */
interface LeaseCommand {

    /**
     * Sends it. Blocks for as long as the store does.
     *
     * @param random for the choice of a row and for a fresh token
     * @return the answer
     * @throws AllocationException if there is no answer, or the store refuses
     */
    LeaseEvent send(LeaseStore store, Terms terms, RandomGenerator random);

    /** Lists the rows that may be acquired. */
    record FindRows(@Nullable String token) implements LeaseCommand {
        @Override
        public LeaseEvent send(LeaseStore store, Terms terms, RandomGenerator random) {
            String fresh = String.format("%016x%016x", random.nextLong(), random.nextLong());
            return new LeaseEvent.Found(store.candidates(terms, token), fresh, random.nextInt(Integer.MAX_VALUE));
        }
    }

    /**
     * Advances a row of another server beyond all that this server may have granted; then pauses, or looks for rows
     * again.
     */
    record FenceOff(Row row, long horizonMillis, long gapMillis, Duration pause) implements LeaseCommand {
        @Override
        public LeaseEvent send(LeaseStore store, Terms terms, RandomGenerator random) {
            store.advance(terms, row, horizonMillis, gapMillis);
            return new LeaseEvent.FencedOff(this);
        }
    }

    /** Acquires a row, whose ticks from a moment on are then this process's. */
    record Acquire(Row row, @Nullable String token, Lease lease, long startMillis) implements LeaseCommand {
        /** The same, for a process that begins no earlier than at a moment. */
        Acquire startingAt(Instant earliest) {
            return new Acquire(row, token, lease, Math.max(startMillis, earliest.toEpochMilli()));
        }

        @Override
        public LeaseEvent send(LeaseStore store, Terms terms, RandomGenerator random) {
            return new LeaseEvent.Acquired(this, store.acquire(terms, row, token, lease));
        }
    }

    /** Reads the row that is held. */
    record Look(Lease lease) implements LeaseCommand {
        @Override
        public LeaseEvent send(LeaseStore store, Terms terms, RandomGenerator random) {
            return new LeaseEvent.Looked(lease, store.look(terms, lease).orElse(null));
        }
    }

    /** Raises the row that is held again, after somebody set it back to a horizon that was read. */
    record Raise(Lease lease, long seenMillis) implements LeaseCommand {
        @Override
        public LeaseEvent send(LeaseStore store, Terms terms, RandomGenerator random) {
            return new LeaseEvent.Raised(this, store.raise(terms, lease, seenMillis));
        }
    }

    /** Heals all rows, if that of the lease still proves that somebody set it back. */
    record Heal(Lease lease) implements LeaseCommand {
        @Override
        public LeaseEvent send(LeaseStore store, Terms terms, RandomGenerator random) {
            return new LeaseEvent.Healed(this, store.heal(terms, lease));
        }
    }

    /** Raises the horizon of the row that is held. */
    record Extend(Lease lease, long horizonMillis) implements LeaseCommand {
        @Override
        public LeaseEvent send(LeaseStore store, Terms terms, RandomGenerator random) {
            return new LeaseEvent.Extended(this, store.extend(terms, lease, horizonMillis));
        }
    }

    /** Renews the lease of the row that is held, and leaves its horizon, which is ahead of the store's time as read. */
    record Renew(Lease lease, long nowMillis) implements LeaseCommand {
        @Override
        public LeaseEvent send(LeaseStore store, Terms terms, RandomGenerator random) {
            store.renew(terms, lease);
            return new LeaseEvent.Renewed(this);
        }
    }

    /** Gives a row back. */
    record Release(Lease lease, long horizonMillis) implements LeaseCommand {
        @Override
        public LeaseEvent send(LeaseStore store, Terms terms, RandomGenerator random) {
            return new LeaseEvent.Released(store.release(terms, lease, horizonMillis));
        }
    }
}
