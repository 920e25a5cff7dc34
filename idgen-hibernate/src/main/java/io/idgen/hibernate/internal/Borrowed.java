package io.idgen.hibernate.internal;

import io.idgen.core.IdSource;

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
    public void close() {
        // whoever made it closes it
    }
}
