package io.idgen.proof.scale;

import io.idgen.core.IdGenerationException;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.testing.Wrapped;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A real generator with a lease of its own, which sends the statements of a process. */
final class SimulatedProcess implements StartedProcess {
    private final Snowflake source;
    private volatile boolean crashed;
    private volatile boolean ended;

    /** Creates a process without a lease. The calls of its store go through {@code answer}. */
    SimulatedProcess(LeaseStore store, UnaryOperator<Snowflake.Builder> settings, Wrapped.Answer answer) {
        LeaseStore leases =
                Wrapped.wrap(LeaseStore.class, store, call -> crashed && call.is("release") ? false : answer.to(call));
        source = settings.apply(Snowflake.builder()).leasedFrom(leases).build();
    }

    @Override
    public long firstId() {
        return source.nextId();
    }

    @Override
    public OptionalLong tryNextId() {
        try {
            return source.tryNextId();
        } catch (IdGenerationException e) {
            if (ended) {
                return OptionalLong.empty();
            }
            throw e;
        }
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    /** Ends as {@code kill -9} ends a process. */
    @Override
    public CompletableFuture<?> crash() {
        crashed = true;
        return stop();
    }

    @Override
    public CompletableFuture<?> stop() {
        ended = true;
        return source.closeAsync();
    }
}
