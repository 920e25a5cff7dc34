package io.idgen.proof.scale;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A process with a lease of its own, in this JVM or in one of its own. */
interface StartedProcess {
    /**
     * Leases a worker id and returns the first id. Blocks until there is one.
     *
     * @throws io.idgen.core.IdGenerationException if the process gets none
     */
    long firstId();

    /**
     * Returns an id, if there is one without waiting. One thread calls this.
     *
     * @throws IllegalStateException if the process fails
     */
    OptionalLong tryNextId();

    boolean hasEnded();

    /** Ends without a release. The future completes when no call of the store is under way. */
    CompletableFuture<?> crash();

    /** Ends and releases the worker id in the background. */
    CompletableFuture<?> stop();
}
