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

    /** It is time to acquire a row, or to renew its lease. */
    record Turn() implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.turn(state);
        }
    }

    /** Rows that may be acquired, a fresh token, and a random number that chooses among the rows. */
    record RowsFound(Candidates candidates, String freshToken, int choice) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return protocol.found(state, this);
        }

        @Override
        public OptionalLong storeMillis() {
            return candidates.rows().isEmpty() ? OptionalLong.empty() : OptionalLong.of(candidates.nowMillis());
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

    /** A change was granted, or the rows are not as they were read: another process was faster, or a read was stale. */
    record Answered(LeaseCommand.RowChange command, boolean granted) implements LeaseEvent {
        @Override
        public LeaseStep apply(LeaseProtocol protocol, LeaseState state) {
            return command.answered(protocol, state, granted);
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
