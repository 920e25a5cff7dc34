package io.idgen.redis.internal.strategy;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import java.util.function.LongSupplier;

/** Ids that a scheme requests from Redis, until the source is closed. */
final class RedisIdSource implements IdSource {
    private final String name;
    private final LongSupplier ids;
    private volatile boolean closed;

    RedisIdSource(String name, LongSupplier ids) {
        this.name = name;
        this.ids = ids;
    }

    @Override
    public long nextId() {
        if (closed) {
            throw new AllocationException(ErrorCode.SOURCE_CLOSED, "source '" + name + "' is closed");
        }
        return ids.getAsLong();
    }

    @Override
    public void close() {
        closed = true;
    }
}
