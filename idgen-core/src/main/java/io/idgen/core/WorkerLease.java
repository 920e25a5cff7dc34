package io.idgen.core;

import java.util.concurrent.CompletableFuture;

/** A worker id for as long as it is this generator's, with the window of ticks that it may issue from. */
interface WorkerLease extends AutoCloseable {

    /** What this lease allows to issue now; sealed when there is nothing, and once the lease is over. */
    Window window();

    /** Waits until there is something to issue, as a call for an id would. */
    default void warmUp() {}

    /** Gives the worker id back; the window is sealed when the last one who shares it does so. */
    @Override
    void close();

    /** Closes without waiting; the future completes when the worker id is given back, or cannot be. */
    default CompletableFuture<?> closeAsync() {
        close();
        return CompletableFuture.completedFuture(null);
    }
}
