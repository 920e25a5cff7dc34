package io.idgen.core.internal.window;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import java.util.concurrent.CompletableFuture;

/** A worker id for as long as it is this generator's, with the window of ticks that it may issue from. */
public interface WorkerLease extends AutoCloseable {

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

    /** What a call meets after {@link #close}. */
    static IdGenerationException closed(String namespace) {
        return new IdGenerationException(
                ErrorCode.SOURCE_CLOSED, "the snowflake generator of namespace '" + namespace + "' is closed");
    }
}
