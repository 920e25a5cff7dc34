package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.config.SourceBinder;
import io.idgen.spring.data.FromIdSource;
import io.idgen.text.IdCodec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/** Sets the ids of new aggregates of Spring Data JDBC; see {@link FromIdSource}. Safe for many threads. */
final class AggregateIds implements BeforeConvertCallback<Object>, BindsLater {
    private final SourceBinder binder;
    private final RelationalMappingContext mapping;
    private final Map<Class<?>, IdSource> sources = new ConcurrentHashMap<>();

    AggregateIds(SourceBinder binder, RelationalMappingContext mapping) {
        this.binder = binder;
        this.mapping = mapping;
    }

    @Override
    public Object onBeforeConvert(Object aggregate) {
        RelationalPersistentEntity<?> entity = mapping.getRequiredPersistentEntity(aggregate.getClass());
        RelationalPersistentProperty property = entity.getIdProperty();
        FromIdSource annotation = property == null ? null : property.findAnnotation(FromIdSource.class);
        if (property == null || annotation == null) {
            return aggregate;
        }
        PersistentPropertyAccessor<Object> accessor = entity.getPropertyAccessor(aggregate);
        if (isNew(accessor.getProperty(property))) {
            IdSource source = sources.computeIfAbsent(entity.getType(), type -> bind(entity, property, annotation));
            accessor.setProperty(property, value(source, property));
        }
        return accessor.getBean();
    }

    @Override
    public boolean mayBind(String source) {
        return mapping.getPersistentEntities().stream().anyMatch(entity -> {
            RelationalPersistentProperty id = entity.getIdProperty();
            FromIdSource annotation = id == null ? null : id.findAnnotation(FromIdSource.class);
            return annotation != null && name(entity, annotation).equals(source);
        });
    }

    private static String name(RelationalPersistentEntity<?> entity, FromIdSource annotation) {
        return annotation.value().isEmpty() ? entity.getType().getSimpleName() : annotation.value();
    }

    private static boolean isNew(@Nullable Object id) {
        return id == null || (id instanceof Number number && number.longValue() == 0);
    }

    private IdSource bind(
            RelationalPersistentEntity<?> entity, RelationalPersistentProperty property, FromIdSource annotation) {
        String name = name(entity, annotation);
        String column = entity.getTableName().getReference() + "."
                + property.getColumnName().getReference();
        binder.bind(name, property.getType() == String.class ? Map.of() : Map.of("adopt", column));
        return binder.sources().lend(name);
    }

    private static Object value(IdSource source, RelationalPersistentProperty property) {
        Class<?> type = property.getType();
        if (type == Long.class || type == long.class) {
            return source.nextId();
        }
        if (type == String.class) {
            return IdCodec.BASE32.encode(source.nextId());
        }
        throw new ConfigurationException(
                ErrorCode.UNSUPPORTED_ID_TYPE,
                "@FromIdSource is on " + property + ", which is of type " + type.getName()
                        + "; change the type to Long, long or String");
    }
}
