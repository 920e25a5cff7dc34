package io.idgen.spring.boot;

import io.idgen.core.IdSource;
import io.idgen.core.SourceSnapshot;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/** A source that the first call looks for. Its owner closes it: {@code close()} has no effect. */
final class LazyIdSource implements IdSource {
    private final SingletonSupplier<IdSource> source;

    LazyIdSource(Supplier<IdSource> finder) {
        this.source = SingletonSupplier.of(finder);
    }

    @Override
    public long nextId() {
        return source.obtain().nextId();
    }

    @Override
    public long[] nextIds(int count) {
        return source.obtain().nextIds(count);
    }

    @Override
    public void nextIds(long[] into, int from, int count) {
        source.obtain().nextIds(into, from, count);
    }

    @Override
    public void warmUp() {
        source.obtain().warmUp();
    }

    @Override
    public @Nullable SourceSnapshot snapshot() {
        return source.obtain().snapshot();
    }

    @Override
    public void close() {
        // the owner closes it
    }
}
