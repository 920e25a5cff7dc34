package io.idgen.proof.scale;

import io.idgen.core.IdGenerationException;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Wrapped;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A real generator with a lease of its own, which sends the statements of a process. */
final class SimulatedProcess {
    private final Snowflake source;
    private volatile boolean crashed;
    private volatile boolean ended;
    private long lastId;

    /** Creates a process without a lease. The calls of its store go through {@code answer}. */
    SimulatedProcess(LeaseStore store, UnaryOperator<Snowflake.Builder> settings, Wrapped.Answer answer) {
        LeaseStore leases =
                Wrapped.wrap(LeaseStore.class, store, call -> crashed && call.is("release") ? false : answer.to(call));
        source = settings.apply(Snowflake.builder()).leasedFrom(leases).build();
    }

    /** Leases a worker id and returns the first id. Blocks until there is one. */
    long firstId() {
        return source.nextId();
    }

    /**
     * Returns an id, if there is one without waiting. One thread calls this.
     *
     * @throws IllegalStateException if the ids fall
     */
    OptionalLong tryNextId() {
        try {
            OptionalLong id = source.tryNextId();
            if (id.isPresent()) {
                if (id.getAsLong() <= lastId) {
                    throw new IllegalStateException(id.getAsLong() + " after " + lastId);
                }
                lastId = id.getAsLong();
            }
            return id;
        } catch (IdGenerationException e) {
            if (ended) {
                return OptionalLong.empty();
            }
            throw e;
        }
    }

    boolean hasEnded() {
        return ended;
    }

    /** Ends without a release, as {@code kill -9} does. The future completes when no call of the store is under way. */
    CompletableFuture<?> crash() {
        crashed = true;
        return stop();
    }

    /** Ends and releases the worker id in the background. */
    CompletableFuture<?> stop() {
        ended = true;
        return source.closeAsync();
    }
}
