package io.idgen.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;

/**
 * Refuses annotations that have no effect. Otherwise, the id would appear as a number, which the annotation should
 * prevent.
 */
final class AttributeCheck extends BeanSerializerModifier {
    private static final long serialVersionUID = 1;
    private static final Set<Class<?>> ID_TYPES = Set.of(long.class, Long.class, BigInteger.class);

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config, BeanDescription type, List<BeanPropertyWriter> attributes) {
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
        AnnotatedMember value = alsoValues ? config.introspect(type).findJsonValueAccessor() : null;
        return value != null && hasIds(value.getType(), config, false);
    }

    private static IllegalArgumentException refusal(
            BeanDescription type, BeanPropertyWriter attribute, String message) {
        return new IllegalArgumentException("attribute '" + attribute.getName() + "' of "
                + type.getBeanClass().getName() + " " + message);
    }
}
