package io.idgen.examples.quickstart;

import io.idgen.core.AsyncIds;
import io.idgen.core.IdSource;
import java.util.concurrent.CompletableFuture;

/** Ids for code that must not block its thread, such as an event loop. */
final class WithoutBlocking {
    private final AsyncIds ids;

    WithoutBlocking(IdSource source) {
        this.ids = new AsyncIds(source);
    }

    CompletableFuture<String> insert() {
        return ids.nextId().thenApply(id -> "INSERT INTO orders (id) VALUES (" + id + ")");
    }
}
