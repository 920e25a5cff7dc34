package io.idgen.spring.boot;

import io.idgen.core.AsyncIds;
import io.idgen.core.config.SourceBinder;
import io.idgen.spring.data.FromIdSource;
import org.reactivestreams.Publisher;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sets the ids of new entities of Spring Data R2DBC; see {@link FromIdSource}. Never blocks. Safe for many threads. */
final class R2dbcIds extends RelationalIds<AsyncIds> implements BeforeConvertCallback<Object> {
    R2dbcIds(SourceBinder binder, R2dbcMappingContext mapping) {
        super(binder, mapping, AsyncIds::new);
    }

    /** The first row of an entity binds its source, on a thread that may block. */
    @Override
    public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
        Class<?> type = entity.getClass();
        return isKnown(type)
                ? withId(entity)
                : Mono.fromCallable(() -> idsOf(type))
                        .subscribeOn(Schedulers.boundedElastic())
                        .flatMap(bound -> withId(entity));
    }

    private Mono<Object> withId(Object entity) {
        return idsOf(entity.getClass())
                .filter(ids -> ids.isMissingIn(entity))
                .map(ids -> Mono.fromFuture(ids.ids()::nextId).map(id -> ids.set(entity, id)))
                .orElseGet(() -> Mono.just(entity));
    }
}
