package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.MapsId;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
 *
 * @param generated these properties
 */
record MappingCheck(Set<Property> generated) {
    private static final System.Logger LOG = System.getLogger(MappingCheck.class.getName());

    /** The beta lacks what 7.4 has. */
    private static final boolean WRITES_RECORDS =
            !isBefore(7, 4) && !Version.getVersionString().startsWith("8.0.0.Beta");

    private static final String FROM_ID_SOURCE = "io.idgen.spring.data.FromIdSource";

    private static final String IN_EMBEDDABLE =
            "an attribute of an embeddable, where this version of Hibernate generates no value; move it to the outermost"
                    + " embeddable or to the entity: to the getter if Hibernate reads those of the entity, otherwise to the"
                    + " field";

    private static final String IN_ELEMENT =
            "an attribute of the elements of a collection, for which Hibernate generates no values; make the element an"
                    + " entity";

    static void check(Metadata metadata, SessionFactoryImplementor factory) {
        Optional<IdgenService> service = IdgenTables.service(metadata);
        MappingCheck check =
                new MappingCheck(service.map(IdgenService::generated).orElseGet(Set::of));
        boolean isReactive = factory.getClass().getName().startsWith("org.hibernate.reactive.");
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (isReactive
                    && entity.getIdentifier() instanceof Component id
                    && id.getProperties().stream().anyMatch(check.generated::contains)) {
                throw refusal(
                        "a part of the id of " + entity.getJpaEntityName(),
                        "for which Hibernate Reactive takes no value from a generator; set it in the constructor, from"
                                + " EntityIds");
            }
            check.check(entity);
        }
        MappingCheck elements = new MappingCheck(Set.of());
        for (Collection collection : metadata.getCollectionBindings()) {
            elements.check(collection.getElement(), collection.getRole(), IN_ELEMENT, false);
            if (collection instanceof IndexedCollection map) {
                elements.check(map.getIndex(), collection.getRole(), IN_ELEMENT, false);
            }
        }
        service.ifPresent(IdgenService::refuseTooLarge);
        if (factory.getProperties().keySet().stream().anyMatch(key -> key.contains(IdgenService.SOURCES))) {
            service.orElseGet(() -> factory.getServiceRegistry().requireService(IdgenService.class))
                    .refuseUnboundNames();
        }
    }

    private void check(PersistentClass entity) {
        PersistentClass parent = entity.getSuperclass();
        Class<?> type = entity.getMappedClass();
        List<Member> associations = annotated(type, null, MapsId.class.getName());
        for (Member member :
                annotated(type, parent == null ? null : parent.getMappedClass(), SnowflakeId.class.getName())) {
            String place = entity.getJpaEntityName() + "." + Attribute.propertyName(member);
            Property property = property(entity, Attribute.propertyName(member))
                    .orElseThrow(() -> refusal(
                            place,
                            "which Hibernate does not map: it is transient or static, or in a superclass that is neither"
                                    + " an entity nor a @MappedSuperclass; map it, or remove the annotation"));
            if (property == entity.getIdentifierProperty() && !associations.isEmpty()) {
                continue; // the id of the parent is the id
            }
            if (!generated.contains(property)) {
                throw refusal(place, reason(entity, property, member));
            }
            refuseUnwritten(place, property);
            GeneratedValue other = ((AccessibleObject) member).getAnnotation(GeneratedValue.class);
            if (other != null && other.strategy() != GenerationType.AUTO) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "idgen generates the values of {0}, and Hibernate ignores @GeneratedValue with a strategy there;"
                                + " remove @GeneratedValue or @SnowflakeId",
                        place);
            }
        }
        for (Member member : annotated(type, null, FROM_ID_SOURCE)) {
            if (!((AccessibleObject) member).isAnnotationPresent(SnowflakeId.class)) {
                throw new ConfigurationException(
                        ErrorCode.UNSUPPORTED_MAPPING,
                        "@FromIdSource is on " + entity.getJpaEntityName() + "." + Attribute.propertyName(member)
                                + ", and Hibernate does not read it; use @SnowflakeId");
            }
        }
        for (Property property : entity.getProperties()) {
            if (property.getValue() != entity.getIdentifierMapper()) {
                check(property, entity.getJpaEntityName(), IN_EMBEDDABLE, false);
            }
        }
        if (entity instanceof RootClass) {
            checkId(entity, associations);
        }
    }

    /** Refuses generated parts of an id that only the id class has, or that another place sets. */
    private void checkId(PersistentClass entity, List<Member> associations) {
        if (entity.getIdentifierProperty() != null) {
            check(entity.getIdentifierProperty(), entity.getJpaEntityName(), IN_EMBEDDABLE, true);
        }
        if (!(entity.getIdentifier() instanceof Component id) || id.isDynamic()) {
            return;
        }
        // without an id class, the entity is the class of its own id
        if (entity.getIdentifierProperty() == null
                && !id.getComponentClass().isAssignableFrom(entity.getMappedClass())) {
            check(id, entity.getJpaEntityName(), IN_EMBEDDABLE, true);
        }
        for (Member association : associations) {
            MapsId mapsId = ((AccessibleObject) association).getAnnotation(MapsId.class);
            String part = mapsId == null ? "" : mapsId.value();
            if (id.hasProperty(part) && generated.contains(id.getProperty(part))) {
                throw refusal(
                        id.getComponentClass().getSimpleName() + "." + part,
                        "which @MapsId of " + entity.getJpaEntityName() + "." + Attribute.propertyName(association)
                                + " sets to the id of another entity; remove @SnowflakeId");
            }
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

    private static String reason(PersistentClass entity, Property property, Member member) {
        Member read = property.getGetter(entity.getMappedClass()).getMember();
        if (read != null && read instanceof Method != member instanceof Method) {
            String other = member instanceof Method ? "field" : "getter";
            return (member instanceof Method ? "a getter" : "a field")
                    + ", but Hibernate reads the annotations of this entity from its " + other
                    + "s, as @Id is on one; move"
                    + " it to the " + other;
        }
        return property.getValue() instanceof Component
                ? "an @EmbeddedId, for which this version of Hibernate generates no value; move it to the attribute inside"
                : "for which this version of Hibernate has created no generator; remove it, or move it to an attribute of"
                        + " the entity that nothing else sets";
    }

    private void check(Property property, String owner, String reason, boolean isKey) {
        check(property.getValue(), owner + "." + property.getName(), reason, isKey);
    }

    /** Checks the annotated attributes of an embeddable, and of those inside. */
    private void check(Value value, String place, String reason, boolean isKey) {
        if (!(value instanceof Component component) || component.isDynamic()) {
            return;
        }
        for (Member member : annotated(component.getComponentClass(), null, SnowflakeId.class.getName())) {
            String name = Attribute.propertyName(member);
            if (!component.hasProperty(name) || !generated.contains(component.getProperty(name))) {
                throw refusal(place + "." + name, reason);
            }
            if (component.getComponentClass().isRecord() && !isKey && !WRITES_RECORDS) {
                throw refusal(
                        place + "." + name,
                        "a component of a record, which this version of Hibernate cannot set; make it a class, or move the"
                                + " annotation to the entity");
            }
            refuseUnwritten(place + "." + name, component.getProperty(name));
        }
        component.getProperties().forEach(property -> check(property, place, reason, isKey));
    }

    private static void refuseUnwritten(String place, Property property) {
        if (!property.isInsertable()) {
            throw refusal(place, "which is not insertable; remove insertable = false, or @SnowflakeId");
        }
    }

    /** Returns whether Hibernate is older than a release line. */
    static boolean isBefore(int major, int minor) {
        Matcher version = Pattern.compile("(\\d+)\\.(\\d+)\\..*").matcher(Version.getVersionString());
        return version.matches()
                && 1_000 * Integer.parseInt(version.group(1)) + Integer.parseInt(version.group(2))
                        < 1_000 * major + minor;
    }

    /** Returns the annotated members of a class and its superclasses; null stands for an entity that is a map. */
    private static List<Member> annotated(@Nullable Class<?> type, @Nullable Class<?> until, String annotation) {
        List<Member> members = new ArrayList<>();
        for (Class<?> part = type; part != null && part != until; part = part.getSuperclass()) {
            Stream.of(part.getDeclaredFields(), part.getDeclaredMethods())
                    .<AccessibleObject>flatMap(Arrays::stream)
                    .filter(member -> Arrays.stream(member.getAnnotations())
                            .anyMatch(each -> each.annotationType().getName().equals(annotation)))
                    .map(Member.class::cast)
                    .forEach(members::add);
        }
        return members;
    }

    static ConfigurationException refusal(String attribute, String why) {
        return new ConfigurationException(
                ErrorCode.UNSUPPORTED_MAPPING, "@SnowflakeId is on " + attribute + ", " + why);
    }
}
