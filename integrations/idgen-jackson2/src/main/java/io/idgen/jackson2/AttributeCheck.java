package io.idgen.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import java.util.List;

/** Refuses annotations that have no effect, since the id would appear as a number. */
final class AttributeCheck extends BeanSerializerModifier {
    private static final long serialVersionUID = 1;

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config, BeanDescription type, List<BeanPropertyWriter> attributes) {
        for (BeanPropertyWriter attribute : attributes) {
            boolean isPublic = attribute.getAnnotation(PublicId.class) != null;
            boolean isAnnotated = isPublic || attribute.getAnnotation(IdAsString.class) != null;
            if (isAnnotated && !hasIds(attribute.getType(), isPublic, config)) {
                throw new IllegalArgumentException("attribute '" + attribute.getName() + "' of "
                        + type.getBeanClass().getName() + " has " + (isPublic ? "@PublicId" : "@IdAsString")
                        + " and the type " + attribute.getType().toCanonical() + "; change the type to long or Long,"
                        + " or an array, collection, map or Optional of these, or leave the annotation out");
            }
        }
        return attributes;
    }

    /** A {@code @JsonValue} is written in the form of the attribute, and read as Jackson reads it: not a public id. */
    private static boolean hasIds(JavaType type, boolean isPublic, SerializationConfig config) {
        JavaType content = type.getContentType();
        JavaType key = type.getKeyType();
        if (content != null) {
            return hasIds(content, isPublic, config) || (key != null && key.hasRawClass(Long.class));
        }
        return type.hasRawClass(long.class)
                || type.hasRawClass(Long.class)
                || (!isPublic && config.introspect(type).findJsonValueAccessor() != null);
    }
}
