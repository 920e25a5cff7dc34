package io.idgen.hibernate.internal;

import io.idgen.core.IdSource;
import io.idgen.core.SourceSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A source that ignores {@code close()}, since someone else owns it.
 *
 * @param source the source that generates the ids
 */
record Borrowed(IdSource source) implements IdSource {
    @Override
    public long nextId() {
        return source.nextId();
    }

    @Override
    public long[] nextIds(int count) {
        return source.nextIds(count);
    }

    @Override
    public void warmUp() {
        source.warmUp();
    }

    @Override
    public @Nullable SourceSnapshot snapshot() {
        return source.snapshot();
    }

    @Override
    public void close() {
        // the owner closes it
    }
}
