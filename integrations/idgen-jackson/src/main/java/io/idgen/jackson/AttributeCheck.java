package io.idgen.jackson;

import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * Refuses annotations that have no effect. Otherwise, the id would appear as a number, which the annotation should
 * prevent.
 */
final class AttributeCheck extends ValueSerializerModifier {
    private static final long serialVersionUID = 1;
    private static final Set<Class<?>> ID_TYPES = Set.of(long.class, Long.class, BigInteger.class);

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config, BeanDescription.Supplier type, List<BeanPropertyWriter> attributes) {
        for (BeanPropertyWriter attribute : attributes) {
            boolean asString = attribute.getAnnotation(IdAsString.class) != null;
            boolean encoded = attribute.getAnnotation(PublicId.class) != null;
            if (asString && encoded) {
                throw refusal(type, attribute, "has @IdAsString and @PublicId; leave one of them out");
            }
            if ((asString || encoded) && !hasIds(attribute.getType(), config, !encoded)) {
                throw refusal(
                        type,
                        attribute,
                        "has " + (encoded ? "@PublicId" : "@IdAsString") + " and the type "
                                + attribute.getType().toCanonical()
                                + "; it applies to long, Long and BigInteger, and to arrays, collections, maps and"
                                + " Optionals of these"
                                + (encoded ? "" : ", or of types with a @JsonValue of these")
                                + "; change the type, or leave the annotation out");
            }
        }
        return attributes;
    }

    /**
     * Returns whether a type has ids. A {@code @JsonValue} is written in the form of the attribute, and read as Jackson
     * reads it.
     */
    private static boolean hasIds(JavaType type, SerializationConfig config, boolean alsoValues) {
        JavaType key = type.getKeyType();
        if (ID_TYPES.contains(type.getRawClass()) || (key != null && key.hasRawClass(Long.class))) {
            return true;
        }
        JavaType content = type.getContentType();
        if (content != null) {
            return hasIds(content, config, alsoValues);
        }
        AnnotatedMember value = alsoValues ? describe(type, config).findJsonValueAccessor() : null;
        return value != null && hasIds(value.getType(), config, false);
    }

    private static BeanDescription describe(JavaType type, SerializationConfig config) {
        ClassIntrospector classes = config.classIntrospectorInstance();
        return classes.introspectForSerialization(type, classes.introspectClassAnnotations(type));
    }

    private static IllegalArgumentException refusal(
            BeanDescription.Supplier type, BeanPropertyWriter attribute, String message) {
        return new IllegalArgumentException("attribute '" + attribute.getName() + "' of "
                + type.getBeanClass().getName() + " " + message);
    }
}
