package io.idgen.core.config;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.Optional;

/**
 * A fact of this process that determines its worker id. No fact shows other processes. With a store, this worker id is
 * leased, and the lease keeps a second process with the same fact out.
 */
sealed interface LocalFact permits HostFact, ApplicationFact {

    /** A datacenter id and a worker id, each in range. */
    record Worker(int datacenter, int worker) {

        /** Throws if an id does not fit in the layout. */
        static Worker of(SnowflakeLayout layout, int datacenter, int worker) {
            layout.packWorker(datacenter, worker);
            return new Worker(datacenter, worker);
        }
    }

    /**
     * The datacenter id and worker id of this process.
     *
     * @param datacenter the configured one
     * @param worker the configured one
     * @throws IllegalArgumentException if the fact is missing, ambiguous, or does not fit; the message says what was
     *     found
     */
    Worker assign(SnowflakeLayout layout, Optional<Integer> datacenter, Optional<Integer> worker, Host host);

    /** Whether the user guarantees that there is no other process. */
    default boolean isOnlyProcess() {
        return false;
    }
}
