package io.idgen.core.internal.lease;

import io.idgen.core.AllocationException;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.Row;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A statement that {@link LeaseProtocol} sends next; its answer is an event. */
sealed interface LeaseCommand {

    /**
     * Sends it, and returns the answer. Blocks for as long as the store does. Leases no worker id that a fixed
     * generator of this JVM uses.
     *
     * @throws AllocationException if there is no answer, or the store refuses
     */
    LeaseEvent answer(LeaseStore store, LeaseTerms terms, LeasedIds ids, RandomGenerator random);

    /** A statement that changes rows, unless they are not as they were read. */
    sealed interface RowChange extends LeaseCommand {

        /**
         * Sends it. Blocks for as long as the store does.
         *
         * @return whether it was granted
         * @throws AllocationException if there is no answer, or the store refuses
         */
        boolean send(LeaseStore store, LeaseTerms terms);

        @Override
        default LeaseEvent answer(LeaseStore store, LeaseTerms terms, LeasedIds ids, RandomGenerator random) {
            return new LeaseEvent.Answered(this, send(store, terms));
        }

        /** Returns the step that follows. */
        LeaseStep answered(LeaseProtocol protocol, LeaseState state, boolean granted);
    }

    /** Lists the rows that may be acquired. */
    record FindRows(@Nullable String token) implements LeaseCommand {
        @Override
        public LeaseEvent answer(LeaseStore store, LeaseTerms terms, LeasedIds ids, RandomGenerator random) {
            LeaseTerms left = ids.withoutFixed();
            String fresh = HexFormat.of().toHexDigits(random.nextLong())
                    + HexFormat.of().toHexDigits(random.nextLong());
            return new LeaseEvent.RowsFound(store.candidates(left, token), fresh, random.nextInt(Integer.MAX_VALUE));
        }
    }

    /**
     * Fences off a row of another server: raises its horizon above all ticks that this server may have granted.
     * Afterwards the process pauses, or looks for rows again.
     */
    record FenceOff(Row row, long horizonMillis, Duration pause) implements RowChange {
        @Override
        public boolean send(LeaseStore store, LeaseTerms terms) {
            return store.fenceOff(terms, row, horizonMillis);
        }

        @Override
        public LeaseStep answered(LeaseProtocol protocol, LeaseState state, boolean granted) {
            return protocol.fencedOff(state, this, granted);
        }
    }

    /** Acquires a row. Its ticks from {@code startMillis} on then belong to this process. */
    record Acquire(Row row, @Nullable String token, Lease lease, long startMillis) implements RowChange {
        /** Returns the same command, but starting no earlier than {@code earliest}. */
        Acquire startingAt(Instant earliest) {
            return new Acquire(row, token, lease, Math.max(startMillis, earliest.toEpochMilli()));
        }

        @Override
        public LeaseEvent answer(LeaseStore store, LeaseTerms terms, LeasedIds ids, RandomGenerator random) {
            Acquire allowed = ids.register(this);
            return allowed == null
                    ? new LeaseEvent.Answered(this, false)
                    : new LeaseEvent.Answered(allowed, allowed.send(store, terms));
        }

        @Override
        public boolean send(LeaseStore store, LeaseTerms terms) {
            return store.acquire(terms, row, token, lease);
        }

        @Override
        public LeaseStep answered(LeaseProtocol protocol, LeaseState state, boolean granted) {
            return protocol.acquired(state, this, granted);
        }
    }

    /** Reads the row that is held. */
    record LookAtRow(Lease lease) implements LeaseCommand {
        @Override
        public LeaseEvent answer(LeaseStore store, LeaseTerms terms, LeasedIds ids, RandomGenerator random) {
            return new LeaseEvent.Looked(lease, store.look(terms, lease).orElse(null));
        }
    }

    /** Raises the horizon of the held row again, after somebody set it back. */
    record Raise(Lease lease, long seenMillis) implements RowChange {
        @Override
        public boolean send(LeaseStore store, LeaseTerms terms) {
            return store.raise(terms, lease, seenMillis);
        }

        @Override
        public LeaseStep answered(LeaseProtocol protocol, LeaseState state, boolean granted) {
            return protocol.raised(state, granted);
        }
    }

    /** Heals all rows, if the row of the lease still proves that somebody set it back. */
    record Heal(Lease lease) implements RowChange {
        @Override
        public boolean send(LeaseStore store, LeaseTerms terms) {
            return store.heal(terms, lease);
        }

        @Override
        public LeaseStep answered(LeaseProtocol protocol, LeaseState state, boolean granted) {
            return protocol.healed(state, granted);
        }
    }

    /** Raises the horizon of the row that is held, to at most a window ahead of the store's time. */
    record Extend(Lease lease, long horizonMillis) implements RowChange {
        @Override
        public boolean send(LeaseStore store, LeaseTerms terms) {
            return store.extend(terms, lease, horizonMillis);
        }

        @Override
        public LeaseStep answered(LeaseProtocol protocol, LeaseState state, boolean granted) {
            return protocol.extended(state, this, granted);
        }
    }

    /** Renews the lease of the held row, and leaves its horizon, which is far enough ahead of the store's time. */
    record Renew(Lease lease, long nowMillis) implements RowChange {
        @Override
        public boolean send(LeaseStore store, LeaseTerms terms) {
            return store.renew(terms, lease);
        }

        @Override
        public LeaseStep answered(LeaseProtocol protocol, LeaseState state, boolean granted) {
            return protocol.renewed(state, this);
        }
    }

    /** Releases a row. */
    record Release(Lease lease, long horizonMillis) implements RowChange {
        @Override
        public boolean send(LeaseStore store, LeaseTerms terms) {
            return store.release(terms, lease, horizonMillis);
        }

        @Override
        public LeaseStep answered(LeaseProtocol protocol, LeaseState state, boolean granted) {
            return LeaseStep.rest(state, Duration.ZERO);
        }
    }
}
