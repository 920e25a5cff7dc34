package io.idgen.hibernate.internal;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.EventType;
import org.hibernate.reactive.id.ReactiveIdentifierGenerator;
import org.hibernate.reactive.session.ReactiveConnectionSupplier;
import org.jspecify.annotations.Nullable;

/** Generates ids for Hibernate Reactive. Never blocks: an id that is not in memory completes later. */
final class ReactiveIdGenerator implements ReactiveIdentifierGenerator<Object> {
    private static final long serialVersionUID = 1L;

    private final SnowflakeIdGenerator generator;

    ReactiveIdGenerator(SnowflakeIdGenerator generator) {
        this.generator = generator;
    }

    @Override
    public CompletionStage<Object> generate(ReactiveConnectionSupplier session, @Nullable Object owner) {
        CompletableFuture<Object> id = generator.generateLater((SharedSessionContractImplementor) session, owner);
        Context context = Vertx.currentContext();
        // a session may only be used on the event loop that opened it
        return id.isDone() || context == null
                ? id
                : id.whenCompleteAsync((value, failure) -> {}, task -> context.runOnContext(any -> task.run()));
    }

    /** Generates an id for a call of Hibernate that cannot wait without blocking, such as an HQL insert. */
    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return generator.generate(session, owner, currentValue, eventType);
    }

    @Override
    public boolean allowAssignedIdentifiers() {
        return generator.allowAssignedIdentifiers();
    }

    @Override
    public void registerExportables(Database database) {
        generator.registerExportables(database);
    }
}
