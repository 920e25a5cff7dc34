package io.idgen.core.config;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.Optional;

/** Where a worker id comes from that no store leases. */
sealed interface Unleased permits Assigner, PlatformAssigner {

    /** A datacenter id and a worker id, each in range. */
    record Worker(int datacenter, int worker) {

        /** Refuses ids that do not fit into the layout. */
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
     * @throws IllegalArgumentException if the fact is missing, not a single one, or does not fit; the message has what
     *     was found
     */
    Worker assign(SnowflakeLayout layout, Optional<Integer> datacenter, Optional<Integer> worker, Host host);

    /** Whether there is no other process, by the user's word. */
    default boolean isOnlyProcess() {
        return false;
    }
}
