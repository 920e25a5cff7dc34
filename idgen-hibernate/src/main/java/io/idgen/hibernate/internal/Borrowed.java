package io.idgen.hibernate.internal;

import io.idgen.core.IdSource;
import io.idgen.core.SourceSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A source that is somebody else's to close.
 *
 * @param source gives the ids
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
        // whoever made it closes it
    }
}
