package io.idgen.core.config;

import io.idgen.core.IdSource;
import io.idgen.core.SourceSnapshot;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A source that someone else owns: the first use fetches it, and {@code close()} has no effect. */
final class LentSource implements IdSource {
    private final Supplier<? extends IdSource> owner;
    private volatile @Nullable IdSource fetched;

    LentSource(Supplier<? extends IdSource> owner) {
        this.owner = owner;
    }

    private IdSource source() {
        IdSource source = fetched;
        if (source == null) {
            source = owner.get(); // two threads may both fetch it; they get the same object
            fetched = source;
        }
        return source;
    }

    @Override
    public long nextId() {
        return source().nextId();
    }

    @Override
    public OptionalLong tryNextId() {
        IdSource source = fetched;
        return source == null ? OptionalLong.empty() : source.tryNextId(); // the owner may open it, which may wait
    }

    @Override
    public void nextIds(long[] into, int from, int count) {
        source().nextIds(into, from, count);
    }

    @Override
    public void warmUp() {
        source().warmUp();
    }

    @Override
    public @Nullable SourceSnapshot snapshot() {
        IdSource source = fetched;
        return source == null ? null : source.snapshot();
    }

    @Override
    public void close() {
        // the owner closes it
    }
}
