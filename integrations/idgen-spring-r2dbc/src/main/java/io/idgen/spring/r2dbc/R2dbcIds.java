package io.idgen.spring.r2dbc;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.async.AsyncIds;
import io.idgen.core.config.SourceBinder;
import io.idgen.spring.data.FromIdSource;
import io.idgen.text.IdCodec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sets the ids of new entities of Spring Data R2DBC; see {@link FromIdSource}. Never blocks. Safe for many threads. */
final class R2dbcIds implements BeforeConvertCallback<Object> {
    private final SourceBinder binder;
    private final R2dbcMappingContext mapping;
    private final Map<Class<?>, AsyncIds> sources = new ConcurrentHashMap<>();

    R2dbcIds(SourceBinder binder, R2dbcMappingContext mapping) {
        this.binder = binder;
        this.mapping = mapping;
    }

    @Override
    public Publisher<Object> onBeforeConvert(Object row, SqlIdentifier table) {
        RelationalPersistentEntity<?> entity = mapping.getRequiredPersistentEntity(row.getClass());
        RelationalPersistentProperty property = entity.getIdProperty();
        FromIdSource annotation = property == null ? null : property.findAnnotation(FromIdSource.class);
        if (property == null || annotation == null) {
            return Mono.just(row);
        }
        PersistentPropertyAccessor<Object> accessor = entity.getPropertyAccessor(row);
        if (!isNew(accessor.getProperty(property))) {
            return Mono.just(row);
        }
        boolean isText = isText(property);
        return idsOf(entity, property, annotation)
                .flatMap(ids -> Mono.fromFuture(ids::nextId))
                .map(id -> {
                    accessor.setProperty(property, isText ? IdCodec.BASE32.encode(id) : id);
                    return accessor.getBean();
                });
    }

    /** Binds a source at the first row of an entity, on a thread that may block, since that loads classes. */
    private Mono<AsyncIds> idsOf(
            RelationalPersistentEntity<?> entity, RelationalPersistentProperty property, FromIdSource annotation) {
        AsyncIds known = sources.get(entity.getType());
        return known != null
                ? Mono.just(known)
                : Mono.fromCallable(() ->
                                sources.computeIfAbsent(entity.getType(), type -> bind(entity, property, annotation)))
                        .subscribeOn(Schedulers.boundedElastic());
    }

    private static boolean isNew(@Nullable Object id) {
        return id == null || (id instanceof Number number && number.longValue() == 0);
    }

    /** The ids begin above the rows that the table has, unless they are text. */
    private AsyncIds bind(
            RelationalPersistentEntity<?> entity, RelationalPersistentProperty property, FromIdSource annotation) {
        String name = annotation.value().isEmpty() ? entity.getType().getSimpleName() : annotation.value();
        String column = entity.getTableName().getReference() + "."
                + property.getColumnName().getReference();
        binder.bind(name, isText(property) ? Map.of() : Map.of("adopt", column));
        return new AsyncIds(binder.sources().lend(name));
    }

    private static boolean isText(RelationalPersistentProperty property) {
        Class<?> type = property.getType();
        if (type != Long.class && type != long.class && type != String.class) {
            throw new ConfigurationException(
                    ErrorCode.UNSUPPORTED_ID_TYPE,
                    "@FromIdSource is on " + property + ", which is of type " + type.getName()
                            + "; change the type to Long, long or String");
        }
        return type == String.class;
    }
}
