package io.idgen.jackson;

import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import java.util.List;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;

/** Refuses annotations that have no effect, since the id would appear as a number. */
final class AttributeCheck extends ValueSerializerModifier {
    private static final long serialVersionUID = 1;

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config, BeanDescription.Supplier type, List<BeanPropertyWriter> attributes) {
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
                || (!isPublic && describe(type, config).findJsonValueAccessor() != null);
    }

    private static BeanDescription describe(JavaType type, SerializationConfig config) {
        ClassIntrospector classes = config.classIntrospectorInstance();
        return classes.introspectForSerialization(type, classes.introspectClassAnnotations(type));
    }
}
