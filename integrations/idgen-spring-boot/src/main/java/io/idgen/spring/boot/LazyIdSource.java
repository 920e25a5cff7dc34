package io.idgen.spring.boot;

import io.idgen.core.IdSource;
import io.idgen.core.SourceSnapshot;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/** A source that the first call looks for. Its owner closes it: {@code close()} has no effect. */
final class LazyIdSource implements IdSource {
    private final SingletonSupplier<IdSource> source;
    private volatile @Nullable IdSource found;

    LazyIdSource(Supplier<IdSource> finder) {
        this.source = SingletonSupplier.of(finder);
    }

    private IdSource source() {
        IdSource obtained = source.obtain();
        found = obtained;
        return obtained;
    }

    @Override
    public long nextId() {
        return source().nextId();
    }

    @Override
    public OptionalLong tryNextId() {
        IdSource known = found;
        return known == null ? OptionalLong.empty() : known.tryNextId(); // the search may open it, which may wait
    }

    @Override
    public long[] nextIds(int count) {
        return source().nextIds(count);
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
        return source().snapshot();
    }

    @Override
    public void close() {
        // the owner closes it
    }
}
