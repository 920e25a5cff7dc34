package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.MapsId;
import java.lang.annotation.Annotation;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hibernate.Version;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * Refuses, at the end of a boot, mappings and settings that Hibernate would silently ignore: {@link SnowflakeId} at a
 * place without a generator, and settings of sources that no entity has. It visits each annotated member of each mapped
 * class, and compares it with the properties for which Hibernate has created a generator.
 */
final class MappingCheck {
    private static final System.Logger LOG = System.getLogger(MappingCheck.class.getName());

    private static final String OF_SPRING_DATA = "io.idgen.spring.data.FromIdSource";

    /** The beta lacks what 7.4 has. */
    private static final boolean WRITES_RECORDS =
            !isBefore(7, 4) && !Version.getVersionString().startsWith("8.0.0.Beta");

    private final SessionFactoryImplementor factory;
    private final Map<Property, Values> generated;

    /** The ids for which another strategy is mapped as well. */
    private final Set<String> twoStrategies = new TreeSet<>();

    private MappingCheck(SessionFactoryImplementor factory, Map<Property, Values> generated) {
        this.factory = factory;
        this.generated = generated;
    }

    static void check(Metadata metadata, SessionFactoryImplementor factory) {
        Optional<IdgenService> service = IdgenTables.service(metadata);
        MappingCheck check =
                new MappingCheck(factory, service.map(IdgenService::generated).orElseGet(Map::of));
        metadata.getEntityBindings().forEach(check::check);
        metadata.getCollectionBindings().forEach(check::check);
        if (!check.twoStrategies.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "idgen generates the values of {0}, and Hibernate ignores @GeneratedValue with a strategy there; remove"
                            + " @GeneratedValue or @SnowflakeId",
                    String.join(", ", check.twoStrategies));
        }
        service.ifPresent(IdgenService::refuseTooLarge);
        if (factory.getProperties().keySet().stream().anyMatch(key -> key.contains(IdgenService.SOURCES))) {
            service.orElseGet(() -> factory.getServiceRegistry().requireService(IdgenService.class))
                    .refuseUnboundNames();
        }
    }

    private void check(PersistentClass entity) {
        PersistentClass parent = entity.getSuperclass();
        List<Member> members =
                annotated(entity.getMappedClass(), parent == null ? null : parent.getMappedClass(), SnowflakeId.class);
        for (Member member : members) {
            String name = Attribute.propertyName(member);
            String place = entity.getJpaEntityName() + "." + name;
            Property property = property(entity, name)
                    .orElseThrow(() -> refusal(
                            place,
                            "which Hibernate does not map: it is transient or static, or in a superclass that is neither"
                                    + " an entity nor a @MappedSuperclass; map it, or remove the annotation"));
            if (property == entity.getIdentifierProperty()
                    && !annotated(entity.getMappedClass(), null, MapsId.class).isEmpty()) {
                continue; // the id of the parent is the id
            }
            if (!isGenerated(entity, property)) {
                throw refusal(place, reason(entity, property, member));
            }
            refuseUnwritten(place, property);
            GeneratedValue other = ((AccessibleObject) member).getAnnotation(GeneratedValue.class);
            if (other != null && other.strategy() != GenerationType.AUTO) {
                twoStrategies.add(place);
            }
        }
        for (Class<?> type = entity.getMappedClass(); type != null; type = type.getSuperclass()) {
            members(type).filter(MappingCheck::isForSpringDataAlone).findFirst().ifPresent(member -> {
                throw new ConfigurationException(
                        ErrorCode.UNSUPPORTED_MAPPING,
                        "@FromIdSource is on " + entity.getJpaEntityName() + "."
                                + Attribute.propertyName((Member) member)
                                + ", and Hibernate does not read it; use @SnowflakeId");
            });
        }
        Stream<Property> properties = Stream.concat(
                entity.getProperties().stream().filter(property -> property.getValue() != entity.getIdentifierMapper()),
                entity instanceof RootClass && entity.getIdentifierProperty() != null
                        ? Stream.of(entity.getIdentifierProperty())
                        : Stream.empty());
        properties.forEach(property -> check(
                property.getValue(),
                entity.getJpaEntityName() + "." + property.getName(),
                property.getValue(),
                property == entity.getIdentifierProperty()));
        if (entity instanceof RootClass && entity.getIdentifier() instanceof Component id) {
            refuseParts(entity, id);
        }
    }

    /** Returns the attribute of an entity; a part of an id class is an attribute of the entity too. */
    private static Optional<Property> property(PersistentClass entity, String name) {
        Stream<Property> id = entity.getIdentifierProperty() != null
                ? Stream.of(entity.getIdentifierProperty())
                : entity.getIdentifier() instanceof Component parts ? parts.getProperties().stream() : Stream.empty();
        return Stream.concat(id, entity.getPropertyClosure().stream())
                .filter(property -> property.getName().equals(name))
                .findFirst();
    }

    private boolean isGenerated(PersistentClass entity, Property property) {
        return generated.containsKey(property)
                || (property == entity.getIdentifierProperty() // an XML mapping may name the generator
                        && factory.getMappingMetamodel()
                                        .getEntityDescriptor(entity.getEntityName())
                                        .getGenerator()
                                instanceof SnowflakeIdGenerator);
    }

    private static String reason(PersistentClass entity, Property property, Member member) {
        boolean isByGetter = member instanceof Method;
        Member read = property.getGetter(entity.getMappedClass()).getMember();
        if (read != null && read instanceof Method != isByGetter) {
            return (isByGetter ? "a getter" : "a field")
                    + ", but Hibernate reads the annotations of this entity from its "
                    + (isByGetter ? "fields, as @Id is on one" : "getters, as @Id is on one") + "; move it to the "
                    + (isByGetter ? "field" : "getter");
        }
        return property.getValue() instanceof Component
                ? "an @EmbeddedId, for which this version of Hibernate generates no value; move it to the attribute inside"
                : "for which this version of Hibernate has created no generator; remove it, or move it to an attribute of"
                        + " the entity that nothing else sets";
    }

    /** Checks the annotated attributes of an embeddable, and of those inside. */
    private void check(Value value, String place, Value outermost, boolean isKey) {
        if (!(value instanceof Component component) || component.isDynamic()) {
            return;
        }
        for (Member member : annotated(component.getComponentClass(), null, SnowflakeId.class)) {
            String name = Attribute.propertyName(member);
            if (!component.hasProperty(name) || !generated.containsKey(component.getProperty(name))) {
                throw refusal(
                        place + "." + name,
                        "an attribute of an embeddable, where this version of Hibernate generates no value; move it to"
                                + (value != outermost
                                        ? " an attribute of the outermost embeddable, or of the entity"
                                        : " the attribute of the entity, or to the getter if Hibernate reads those of the"
                                                + " entity, otherwise to the field"));
            }
            if (component.getComponentClass().isRecord() && !isKey && !WRITES_RECORDS) {
                throw refusal(
                        place + "." + name,
                        "a component of a record, which this version of Hibernate cannot set; make it a class, or move the"
                                + " annotation to the entity");
            }
            refuseUnwritten(place + "." + name, component.getProperty(name));
        }
        component
                .getProperties()
                .forEach(property -> check(property.getValue(), place + "." + property.getName(), outermost, isKey));
    }

    /** Refuses generated parts of a composite id that another place sets, or that only the id class has. */
    private void refuseParts(PersistentClass entity, Component id) {
        // without an id class, the entity is the class of its own id
        if (entity.getIdentifierProperty() == null
                && !id.isDynamic()
                && !id.getComponentClass().isAssignableFrom(entity.getMappedClass())) {
            check(id, entity.getJpaEntityName(), id, true);
        }
        for (Member association : annotated(entity.getMappedClass(), null, MapsId.class)) {
            String part = Objects.requireNonNull(((AccessibleObject) association).getAnnotation(MapsId.class))
                    .value();
            if (id.hasProperty(part) && generated.containsKey(id.getProperty(part))) {
                throw refusal(
                        id.getComponentClass().getSimpleName() + "." + part,
                        "which @MapsId of " + entity.getJpaEntityName() + "." + Attribute.propertyName(association)
                                + " sets to the id of another entity; remove @SnowflakeId");
            }
        }
    }

    /** Returns whether Hibernate is older than a release line. */
    static boolean isBefore(int major, int minor) {
        Matcher version = Pattern.compile("(\\d+)\\.(\\d+)\\..*").matcher(Version.getVersionString());
        return version.matches()
                && 1_000 * Integer.parseInt(version.group(1)) + Integer.parseInt(version.group(2))
                        < 1_000 * major + minor;
    }

    private static void refuseUnwritten(String place, Property property) {
        if (!property.isInsertable()) {
            throw refusal(place, "which is not insertable; remove insertable = false, or @SnowflakeId");
        }
    }

    private void check(Collection collection) {
        refuseElement(collection.getElement(), collection.getRole());
        if (collection instanceof IndexedCollection map) {
            refuseElement(map.getIndex(), collection.getRole());
        }
    }

    private static void refuseElement(Value value, String role) {
        if (value instanceof Component element && !element.isDynamic()) {
            annotated(element.getComponentClass(), null, SnowflakeId.class).stream()
                    .findFirst()
                    .ifPresent(member -> {
                        throw refusal(
                                element.getComponentClass().getSimpleName() + "." + Attribute.propertyName(member),
                                "an attribute of the elements of " + role
                                        + ", for which Hibernate generates no values; make the element an entity");
                    });
            element.getProperties().forEach(property -> refuseElement(property.getValue(), role));
        }
    }

    /** Returns the annotated members of a class and its superclasses; null stands for an entity that is a map. */
    private static List<Member> annotated(
            @Nullable Class<?> type, @Nullable Class<?> until, Class<? extends Annotation> annotation) {
        List<Member> members = new ArrayList<>();
        for (Class<?> part = type; part != null && part != until; part = part.getSuperclass()) {
            members(part)
                    .filter(member -> member.isAnnotationPresent(annotation))
                    .map(Member.class::cast)
                    .forEach(members::add);
        }
        return members;
    }

    private static Stream<AccessibleObject> members(Class<?> type) {
        return Stream.concat(Arrays.stream(type.getDeclaredFields()), Arrays.stream(type.getDeclaredMethods()));
    }

    private static boolean isForSpringDataAlone(AccessibleObject member) {
        return !member.isAnnotationPresent(SnowflakeId.class)
                && Arrays.stream(member.getAnnotations())
                        .anyMatch(each -> each.annotationType().getName().equals(OF_SPRING_DATA));
    }

    static ConfigurationException refusal(String attribute, String why) {
        return new ConfigurationException(
                ErrorCode.UNSUPPORTED_MAPPING, "@SnowflakeId is on " + attribute + ", " + why);
    }
}
