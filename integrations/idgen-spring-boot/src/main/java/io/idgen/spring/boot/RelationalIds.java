package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.config.SourceBinder;
import io.idgen.spring.data.FromIdSource;
import io.idgen.text.IdCodec;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.util.StringUtils;

/** The entities with {@link FromIdSource} of Spring Data JDBC or R2DBC. Safe for many threads. */
abstract class RelationalIds implements BindsLater {
    static final String OF_SPRING_DATA = FromIdSource.class.getName();
    static final String OF_HIBERNATE = "io.idgen.hibernate.SnowflakeId";

    /** What a property, or the constructor of its type, takes. */
    private static final List<Class<?>> IDS = List.of(long.class, Long.class, String.class);

    private final SourceBinder binder;
    private final RelationalMappingContext mapping;
    private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

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
            Constructor<?> constructor = constructor(property);
            Object value = isText(property) ? IdCodec.BASE32.encode(id) : (Object) id;
            accessor.setProperty(
                    property, constructor == null ? value : BeanUtils.instantiateClass(constructor, value));
            return accessor.getBean();
        }
    }

    /** Checks the places of annotations at the first row of an entity. Loads classes, so it may block. */
    final void checkOnce(Class<?> type) {
        if (checked.add(type)) {
            check(mapping.getRequiredPersistentEntity(type));
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
        for (RelationalPersistentEntity<?> entity : List.copyOf(mapping.getPersistentEntities())) {
            check(entity);
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
        RelationalPersistentProperty inner = property;
        if (property.isEmbedded()) {
            inner = mapping.getRequiredPersistentEntity(property.getActualType())
                    .iterator()
                    .next();
        }
        String column = table + "." + inner.getColumnName().getReference();
        Map<String, String> known = isText(property) ? Map.of() : Map.of("adopt", column, "id-columns", column);
        binder.bind(name, known, Set.of(column), Set.of(entity.getType().getName()));
        return name;
    }

    /** Returns whether the property, or the constructor of its type, takes a text. */
    private static boolean isText(RelationalPersistentProperty property) {
        Constructor<?> constructor = constructor(property);
        return (constructor == null ? property.getType() : constructor.getParameterTypes()[0]) == String.class;
    }

    /** Returns the constructor that creates a typed id from an id; null if the property holds the id itself. */
    private static @Nullable Constructor<?> constructor(RelationalPersistentProperty property) {
        Class<?> type = property.getType();
        if (IDS.contains(type)) {
            return null;
        }
        return IDS.stream()
                .filter(parameter -> !type.getName().startsWith("java."))
                .flatMap(parameter -> Arrays.stream(type.getDeclaredConstructors())
                        .filter(constructor ->
                                Arrays.equals(constructor.getParameterTypes(), new Class<?>[] {parameter})))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.UNSUPPORTED_ID_TYPE,
                        "@FromIdSource is on " + property + ", which is of type " + type.getName()
                                + "; change the type to Long, long or String, or to a class with a constructor that takes"
                                + " one of them"));
    }

    /** Refuses an annotation of idgen at a place for which Spring Data requests no value. */
    private void check(RelationalPersistentEntity<?> entity) {
        RelationalPersistentProperty id = entity.getIdProperty();
        boolean hasSource = id != null && id.findAnnotation(FromIdSource.class) != null;
        annotated(entity.getType(), OF_SPRING_DATA)
                .filter(member -> !hasSource || !isOf(id, member.getName()))
                .findFirst()
                .ifPresent(member -> {
                    throw refusal("@FromIdSource is on " + entity.getType().getName() + "." + member.getName()
                            + ", which is not the whole id of an entity; move it to the attribute with @Id, or set this"
                            + " one from an IdSource");
                });
        annotated(entity.getType(), OF_HIBERNATE)
                .filter(member -> !hasSource && !isEntityOfJpa(entity.getType()))
                .findFirst()
                .ifPresent(member -> {
                    throw refusal("@SnowflakeId is on " + entity.getType().getName() + "." + member.getName()
                            + ", and Spring Data does not read it; use @FromIdSource");
                });
        for (RelationalPersistentProperty property : entity) {
            RelationalPersistentEntity<?> inner = property.isEntity() && !property.isEmbedded()
                    ? mapping.getPersistentEntity(property.getActualType())
                    : null;
            RelationalPersistentProperty key = inner == null ? null : inner.getIdProperty();
            if (key != null && key.findAnnotation(FromIdSource.class) != null) {
                throw refusal("@FromIdSource is on " + key + ", the id of an entity inside the aggregate "
                        + entity.getType().getName()
                        + ", for which Spring Data has no callback; set it from an IdSource,"
                        + " or let the database generate it");
            }
        }
    }

    /** Returns whether a field or a getter is that of a property. */
    private static boolean isOf(@Nullable RelationalPersistentProperty property, String member) {
        return property != null
                && (member.equals(property.getName())
                        || member.equals("get" + StringUtils.capitalize(property.getName())));
    }

    /** Returns the members of a class and its superclasses that have one of the annotations. */
    static Stream<Member> annotated(Class<?> type, String... annotations) {
        return Stream.<@Nullable Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .flatMap(part -> Stream.concat(
                        Arrays.stream(part.getDeclaredFields()), Arrays.stream(part.getDeclaredMethods())))
                .filter(member -> Arrays.stream(annotations).anyMatch(MergedAnnotations.from(member)::isPresent))
                .map(Member.class::cast);
    }

    static boolean isEntityOfJpa(Class<?> type) {
        return MergedAnnotations.from(type).isPresent("jakarta.persistence.Entity");
    }

    static ConfigurationException refusal(String message) {
        return new ConfigurationException(ErrorCode.UNSUPPORTED_MAPPING, message);
    }
}
