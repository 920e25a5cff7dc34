package io.idgen.core.internal.lease;

import io.idgen.core.internal.lease.SimulatedDatabase.WorkerRow;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.internal.time.VirtualTime;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.test.LeaseStoreContract;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Checks the store of the simulations by the contract for stores of applications. */
class SimulatedStoreTest extends LeaseStoreContract {
    private final VirtualTime time = new VirtualTime();
    private final SimulatedDatabase database = new SimulatedDatabase(time);
    private final SimulatedStore.Link oneAtATime = new SimulatedStore.Link() {
        @Override
        public synchronized <T> T call(String statement, Supplier<T> work) {
            return work.get();
        }
    };

    /** A store whose new rows count as written by the server that answers, like those of a database in memory. */
    private final LeaseStore store = new SimulatedStore(database, oneAtATime, Flaw.NONE) {
        @Override
        public Candidates candidates(LeaseTerms terms, @Nullable String token) {
            return oneAtATime.call("candidates", () -> {
                if (database.rows().isEmpty()) {
                    super.candidates(terms, token);
                    database.rows().forEach(row -> database.set(row.workerId(), ofServer(row)));
                }
                return super.candidates(terms, token);
            });
        }
    };

    private WorkerRow ofServer(WorkerRow row) {
        return new WorkerRow(
                row.workerId(),
                row.layout(),
                row.fence(),
                row.token(),
                row.leaseUntil(),
                row.horizon(),
                database.server());
    }

    @Override
    protected LeaseStore open() {
        return store;
    }

    @Override
    protected void expire(Lease lease) {
        time.pass(Duration.ofSeconds(31));
    }

    @Override
    protected Optional<LeaseStore> failOver() {
        database.failOver(0, 0);
        return Optional.of(store);
    }
}
