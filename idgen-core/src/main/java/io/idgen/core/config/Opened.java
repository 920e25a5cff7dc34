package io.idgen.core.config;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The open sources and the objects that they share, which are closed together. Its owner has a lock. */
final class Opened {
    private final Map<Object, AutoCloseable> shared = new HashMap<>();
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    /** Adds a source, which may be one that is open under another name. */
    void add(IdSource source) {
        if (!all.contains(source)) {
            all.push(source);
        }
    }

    /** Returns the object of a key. The first call makes it. */
    @SuppressWarnings("unchecked") // a key is used for one type only: it is a strategy's own
    <T extends AutoCloseable> T shared(Object key, Supplier<T> maker) {
        T existing = (T) shared.get(key);
        if (existing != null) {
            return existing;
        }
        T made = maker.get();
        shared.put(key, made);
        all.push(made);
        return made;
    }

    /** Closes all sources at the same time, waits for them, then closes the objects they share, the latest first. */
    void close(Consumer<CompletableFuture<?>> waiting) {
        List<Exception> failures = new ArrayList<>();
        List<CompletableFuture<?>> closing = new ArrayList<>();
        for (AutoCloseable each : all) {
            if (each instanceof IdSource source) {
                collect(failures, () -> closing.add(source.closeAsync()));
            }
        }
        if (!closing.isEmpty()) {
            waiting.accept(CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new)));
        }
        all.removeIf(IdSource.class::isInstance);
        while (!all.isEmpty()) {
            collect(failures, all.pop());
        }
        if (!failures.isEmpty()) {
            IdGenerationException failure =
                    new IdGenerationException(ErrorCode.SOURCE_CLOSED, "closing a source failed", failures.remove(0));
            failures.forEach(failure::addSuppressed);
            throw failure;
        }
    }

    private static void collect(List<Exception> failures, AutoCloseable closing) {
        try {
            closing.close();
        } catch (Exception e) {
            failures.add(e);
        }
    }
}
