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
import java.util.function.Function;
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

/**
 * The entities with {@link FromIdSource} of Spring Data JDBC or R2DBC. Safe for many threads.
 *
 * @param <S> what generates the ids
 */
abstract class RelationalIds<S> implements BindsLater {
    static final String OF_SPRING_DATA = FromIdSource.class.getName();
    static final String OF_HIBERNATE = "io.idgen.hibernate.SnowflakeId";

    /** What a property, or the constructor of its type, takes. */
    private static final List<Class<?>> IDS = List.of(long.class, Long.class, String.class);

    private final SourceBinder binder;
    private final RelationalMappingContext mapping;
    private final Function<IdSource, S> opening;
    private final Map<Class<?>, Optional<NewIds<S>>> known = new ConcurrentHashMap<>();

    RelationalIds(SourceBinder binder, RelationalMappingContext mapping, Function<IdSource, S> opening) {
        this.binder = binder;
        this.mapping = mapping;
        this.opening = opening;
    }

    /**
     * The ids of new rows of an entity.
     *
     * @param constructor creates a typed id from an id; null if the property holds the id itself
     * @param source the name of the source
     */
    record NewIds<S>(
            RelationalPersistentEntity<?> entity,
            RelationalPersistentProperty property,
            @Nullable Constructor<?> constructor,
            String source,
            S ids) {

        /** Returns whether an entity has no id, so that it is new; 0 counts as none. */
        boolean isMissingIn(Object object) {
            Object id = entity.getPropertyAccessor(object).getProperty(property);
            return id == null || (id instanceof Number number && number.longValue() == 0);
        }

        /** Sets the id, and returns the entity, which is another object if it is immutable. */
        Object set(Object object, long id) {
            PersistentPropertyAccessor<Object> accessor = entity.getPropertyAccessor(object);
            Object value = isText(property, constructor) ? IdCodec.BASE32.encode(id) : (Object) id;
            accessor.setProperty(
                    property, constructor == null ? value : BeanUtils.instantiateClass(constructor, value));
            return accessor.getBean();
        }
    }

    final boolean isKnown(Class<?> type) {
        return known.containsKey(type);
    }

    /**
     * Returns the ids of an entity; empty if it has no {@link FromIdSource}. The first call checks the places of
     * annotations and binds the source. It loads classes, so it may block.
     */
    final Optional<NewIds<S>> idsOf(Class<?> type) {
        return known.computeIfAbsent(type, each -> newIds(mapping.getRequiredPersistentEntity(each)));
    }

    @Override
    public final Map<String, String> sourceByEntity() {
        Map<String, String> sources = new HashMap<>();
        for (RelationalPersistentEntity<?> entity : List.copyOf(mapping.getPersistentEntities())) {
            idsOf(entity.getType())
                    .ifPresent(ids -> sources.put(entity.getType().getName(), ids.source));
        }
        return sources;
    }

    /** Binds the source of an entity. Its ids begin above the rows that the table has, unless they are text. */
    private Optional<NewIds<S>> newIds(RelationalPersistentEntity<?> entity) {
        check(entity);
        RelationalPersistentProperty property = entity.getIdProperty();
        FromIdSource annotation = property == null ? null : property.findAnnotation(FromIdSource.class);
        if (property == null || annotation == null) {
            return Optional.empty();
        }
        Constructor<?> constructor = constructor(property);
        String table = entity.getQualifiedTableName().stream()
                .map(SqlIdentifier::getReference)
                .collect(Collectors.joining("."));
        String name = annotation.value().isEmpty()
                ? SourceBinder.nameOf(table, mapping.getNamingStrategy().getSchema())
                : annotation.value();
        RelationalPersistentProperty inner = property;
        if (property.isEmbedded()) {
            inner = mapping.getRequiredPersistentEntity(property.getActualType())
                    .iterator()
                    .next();
        }
        String column = table + "." + inner.getColumnName().getReference();
        Map<String, String> settings =
                isText(property, constructor) ? Map.of() : Map.of("adopt", column, "id-columns", column);
        binder.bind(name, settings, Set.of(column), Set.of(entity.getType().getName()));
        return Optional.of(new NewIds<>(
                entity,
                property,
                constructor,
                name,
                opening.apply(binder.sources().lend(name))));
    }

    /** Returns whether the property, or the constructor of its type, takes a text. */
    private static boolean isText(RelationalPersistentProperty property, @Nullable Constructor<?> constructor) {
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
