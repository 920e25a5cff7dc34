package io.idgen.core.internal.lease;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.SnowflakeSnapshot;
import java.util.concurrent.CompletableFuture;

/** A worker id that a generator holds, with the window of ticks it may use. */
public interface WorkerLease {

    /** The window in use; sealed if there is none, and after {@link #close}. */
    Window window();

    /** Waits until there is an id, as a call for one does. */
    default void warmUp() {}

    /**
     * Returns the worker id and its lease at this moment; takes no lock and does no I/O.
     *
     * @param tickWaits of the generator's clock
     */
    SnowflakeSnapshot snapshot(long tickWaits);

    /**
     * Gives the worker id back, without waiting for it. If generators share the window, the last of them seals it.
     *
     * @return completes when the worker id is given back, or that has failed
     */
    CompletableFuture<?> close();

    /** The exception of calls after {@link #close}. */
    static IdGenerationException closed(String namespace) {
        return new IdGenerationException(
                ErrorCode.SOURCE_CLOSED, "the snowflake generator of namespace '" + namespace + "' is closed");
    }
}
