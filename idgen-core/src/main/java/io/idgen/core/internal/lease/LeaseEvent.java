package io.idgen.core.internal.lease;

import io.idgen.core.lease.LeaseStore.Candidates;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.LeaseView;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An event of a process that leases a worker id: mostly the answer to a {@link LeaseCommand}. */
interface LeaseEvent {

    /** The step that follows. */
    LeaseStep apply(LeaseProtocol protocol, LeaseState state);

    /** The store's time, if the answer has it. */
    default OptionalLong storeMillis() {
        return OptionalLong.empty();
    }

    /** Whether the lease was renewed at the store's last reading. */
    default boolean renewsLease() {
        return false;
    }

    /** It is time to acquire a row, or to renew its lease. */
    record Turn() implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.turn(state);
        }
    }

    /** Rows that may be acquired, a fresh token, and a random number that chooses among the rows. */
    record Found(Candidates candidates, String freshToken, int choice) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.found(state, this);
        }

        @Override
        public OptionalLong storeMillis() {
            return candidates.rows().isEmpty() ? OptionalLong.empty() : OptionalLong.of(candidates.nowMillis());
        }
    }

    /** A row was advanced, or it is not as it was read: another process was faster, or the read was out of date. */
    record FencedOff(LeaseCommand.FenceOff command, boolean advanced) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.fencedOff(state, command, advanced);
        }
    }

    /** A row was acquired, or another process was faster. */
    record Acquired(LeaseCommand.Acquire command, boolean granted) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.acquired(state, command, granted);
        }

        @Override
        public boolean renewsLease() {
            return granted;
        }
    }

    /** The row that is held was read; null if it does not exist. */
    record Looked(Lease lease, @Nullable LeaseView view) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.looked(state, lease, view);
        }

        @Override
        public OptionalLong storeMillis() {
            return view == null ? OptionalLong.empty() : OptionalLong.of(view.nowMillis());
        }
    }

    /** The answer to a raise: the row has its horizon again, or has changed since it was read. */
    record Raised(LeaseCommand.Raise command, boolean granted) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.raised(state, granted);
        }

        @Override
        public boolean renewsLease() {
            return granted;
        }
    }

    /** All rows were healed, or the row of the lease proves nothing. */
    record Healed(LeaseCommand.Heal command, boolean healed) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.healed(state, healed);
        }
    }

    /** The horizon was raised, or the row is not as it was. */
    record Extended(LeaseCommand.Extend command, boolean granted) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.extended(state, command, granted);
        }

        @Override
        public boolean renewsLease() {
            return granted;
        }
    }

    /** The lease was renewed, or the next look shows why not. */
    record Renewed(LeaseCommand.Renew command) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.renewed(state, command);
        }

        @Override
        public boolean renewsLease() {
            return true;
        }
    }

    /** A row was released, or it was not as it was left. */
    record Released(boolean accepted) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.released(state);
        }
    }

    /** A statement got no answer: it has taken effect, will later, or never will. */
    record Unanswered(LeaseCommand command) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.unanswered(state, command);
        }
    }
}
