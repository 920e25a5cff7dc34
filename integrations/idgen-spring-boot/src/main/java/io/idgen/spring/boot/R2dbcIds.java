package io.idgen.spring.boot;

import io.idgen.core.AsyncIds;
import io.idgen.core.config.SourceBinder;
import io.idgen.spring.data.FromIdSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.reactivestreams.Publisher;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sets the ids of new entities of Spring Data R2DBC; see {@link FromIdSource}. Never blocks. Safe for many threads. */
final class R2dbcIds extends RelationalIds implements BeforeConvertCallback<Object> {
    private final Map<Class<?>, AsyncIds> sources = new ConcurrentHashMap<>();

    R2dbcIds(SourceBinder binder, R2dbcMappingContext mapping) {
        super(binder, mapping);
    }

    @Override
    public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
        return newRow(entity)
                .map(row ->
                        idsOf(row).flatMap(ids -> Mono.fromFuture(ids::nextId)).map(row::with))
                .orElseGet(() -> Mono.just(entity));
    }

    /** Binds a source at the first row of an entity, on a thread that may block, since that loads classes. */
    private Mono<AsyncIds> idsOf(NewRow row) {
        AsyncIds known = sources.get(row.type());
        return known != null
                ? Mono.just(known)
                : Mono.fromCallable(() -> sources.computeIfAbsent(row.type(), type -> new AsyncIds(bind(row))))
                        .subscribeOn(Schedulers.boundedElastic());
    }
}
