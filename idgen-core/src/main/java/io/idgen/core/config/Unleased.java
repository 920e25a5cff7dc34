package io.idgen.core.config;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.Optional;

/** The origin of a worker id that is not leased. */
sealed interface Unleased permits Assigner, PlatformAssigner {

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
