package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.config.SourceBinder;
import io.idgen.spring.data.FromIdSource;
import io.idgen.text.IdCodec;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.SqlIdentifier;

/** The entities with {@link FromIdSource} of Spring Data JDBC or R2DBC. Safe for many threads. */
abstract class RelationalIds implements BindsLater {
    private final SourceBinder binder;
    private final RelationalMappingContext mapping;

    RelationalIds(SourceBinder binder, RelationalMappingContext mapping) {
        this.binder = binder;
        this.mapping = mapping;
    }

    /** An entity without an id, and the property that receives it. */
    record NewRow(
            RelationalPersistentEntity<?> entity,
            RelationalPersistentProperty property,
            PersistentPropertyAccessor<Object> accessor) {

        Class<?> type() {
            return entity.getType();
        }

        /** Sets the id, and returns the entity, which is another object if it is immutable. */
        Object with(long id) {
            accessor.setProperty(property, isText(property) ? IdCodec.BASE32.encode(id) : id);
            return accessor.getBean();
        }
    }

    /** Returns an entity as a new row; empty if it has an id, or no {@link FromIdSource}. */
    final Optional<NewRow> newRow(Object object) {
        RelationalPersistentEntity<?> entity = mapping.getRequiredPersistentEntity(object.getClass());
        RelationalPersistentProperty property = entity.getIdProperty();
        if (property == null || property.findAnnotation(FromIdSource.class) == null) {
            return Optional.empty();
        }
        PersistentPropertyAccessor<Object> accessor = entity.getPropertyAccessor(object);
        return isNew(accessor.getProperty(property))
                ? Optional.of(new NewRow(entity, property, accessor))
                : Optional.empty();
    }

    private static boolean isNew(@Nullable Object id) {
        return id == null || (id instanceof Number number && number.longValue() == 0);
    }

    /**
     * Binds the source of a row's entity. Its ids begin above the rows that the table has, unless they are text.
     *
     * @return the source, which the binder's owner closes
     * @throws ConfigurationException {@link ErrorCode#UNSUPPORTED_ID_TYPE} if the property cannot hold an id
     */
    final IdSource bind(NewRow row) {
        return binder.sources().lend(bind(row.entity, row.property));
    }

    @Override
    public final Map<String, String> sourceByEntity() {
        Map<String, String> sources = new HashMap<>();
        for (RelationalPersistentEntity<?> entity : mapping.getPersistentEntities()) {
            RelationalPersistentProperty property = entity.getIdProperty();
            if (property != null && property.findAnnotation(FromIdSource.class) != null) {
                sources.put(entity.getType().getName(), bind(entity, property));
            }
        }
        return sources;
    }

    private String bind(RelationalPersistentEntity<?> entity, RelationalPersistentProperty property) {
        String table = entity.getQualifiedTableName().stream()
                .map(SqlIdentifier::getReference)
                .collect(Collectors.joining("."));
        String named = property.getRequiredAnnotation(FromIdSource.class).value();
        String name = named.isEmpty()
                ? SourceBinder.nameOf(table, mapping.getNamingStrategy().getSchema())
                : named;
        String column = table + "." + property.getColumnName().getReference();
        Map<String, String> known = isText(property) ? Map.of() : Map.of("adopt", column, "id-columns", column);
        binder.bind(name, known, Set.of(column), Set.of(entity.getType().getName()));
        return name;
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
