package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.hibernate.SnowflakeId;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.jspecify.annotations.Nullable;

/**
 * Refuses, at the end of a boot, mappings and settings that Hibernate would silently ignore: {@link SnowflakeId} at a
 * place without a generator, and settings of sources that no entity has.
 */
final class MappingCheck {
    private MappingCheck() {}

    static void check(Metadata metadata, SessionFactoryImplementor factory) {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            Property id = entity.getIdentifierProperty();
            if (id != null
                    && id.isComposite()
                    && annotated(entity.getMappedClass()).anyMatch(id.getName()::equals)
                    && !(generator(factory, entity) instanceof SnowflakeIdGenerator)) {
                throw refusal(
                        entity.getJpaEntityName() + "." + id.getName(),
                        "an @EmbeddedId, for which this version of Hibernate generates no value; move it to the "
                                + "attribute inside");
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            if (collection.getElement() instanceof Component element && !element.isDynamic()) {
                annotated(element.getComponentClass()).findFirst().ifPresent(attribute -> {
                    throw refusal(
                            element.getComponentClass().getSimpleName() + "." + attribute,
                            "an attribute of the elements of " + collection.getRole()
                                    + ", for which Hibernate generates no values; make the element an entity");
                });
            }
        }
        IdgenTables.service(metadata).ifPresent(IdgenService::refuseTooLarge);
        if (factory.getProperties().keySet().stream().anyMatch(key -> key.contains(IdgenService.SOURCES))) {
            IdgenTables.service(metadata)
                    .orElseGet(() -> factory.getServiceRegistry().requireService(IdgenService.class))
                    .refuseUnboundNames();
        }
    }

    private static Object generator(SessionFactoryImplementor factory, PersistentClass entity) {
        return factory.getMappingMetamodel()
                .getEntityDescriptor(entity.getEntityName())
                .getGenerator();
    }

    /** Returns the names of the annotated attributes of a class; null stands for an entity that is a map. */
    private static Stream<String> annotated(@Nullable Class<?> type) {
        return Stream.<@Nullable Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .flatMap(part -> Stream.concat(
                        Arrays.stream(part.getDeclaredFields()), Arrays.stream(part.getDeclaredMethods())))
                .filter(member -> member.isAnnotationPresent(SnowflakeId.class))
                .map(Attribute::propertyName);
    }

    private static ConfigurationException refusal(String attribute, String why) {
        return new ConfigurationException(
                ErrorCode.UNSUPPORTED_MAPPING, "@SnowflakeId is on " + attribute + ", " + why);
    }
}
