package io.idgen.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.ObjectIdInfo;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.PropertyWriter;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import io.idgen.text.internal.IdForm;
import java.util.Iterator;
import java.util.List;

/** Refuses annotations that have no effect, since the id would appear as a number; and gives references their form. */
final class AttributeCheck extends BeanSerializerModifier {
    private static final long serialVersionUID = 1;

    private final IdgenModule module;

    AttributeCheck(IdgenModule module) {
        this.module = module;
    }

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
                        + " or a Long[], collection, map or Optional of Long, or leave the annotation out");
            }
        }
        return attributes;
    }

    @Override
    public JsonSerializer<?> modifySerializer(
            SerializationConfig config, BeanDescription type, JsonSerializer<?> serializer) {
        AnnotatedMember value = type.findJsonValueAccessor();
        if (value != null && isAnnotated(value)) {
            throw new IllegalArgumentException(
                    "the @JsonValue of " + type.getBeanClass().getName()
                            + " has @IdAsString or @PublicId, which have no effect there; annotate the attributes of this type");
        }
        ObjectIdInfo reference = type.getObjectIdInfo();
        if (reference != null && serializer instanceof BeanSerializerBase standard) {
            for (Iterator<PropertyWriter> all = serializer.properties(); all.hasNext(); ) {
                PropertyWriter id = all.next();
                IdForm form = id.getFullName().equals(reference.getPropertyName()) && isLong(id.getType())
                        ? module.formOf(config, id)
                        : null;
                if (form != null) {
                    return new ReferencedBean(standard, new IdSerializer(module, false, form));
                }
            }
        }
        return serializer;
    }

    private static boolean isLong(JavaType type) {
        return type.hasRawClass(long.class) || type.hasRawClass(Long.class);
    }

    private static boolean isAnnotated(AnnotatedMember member) {
        return member.hasAnnotation(IdAsString.class) || member.hasAnnotation(PublicId.class);
    }

    /** A {@code @JsonValue} is written in the form of the attribute, and read as Jackson reads it: not a public id. */
    private static boolean hasIds(JavaType type, boolean isPublic, SerializationConfig config) {
        JavaType content = type.getContentType();
        JavaType key = type.getKeyType();
        if (content != null && !content.isPrimitive()) {
            return hasIds(content, isPublic, config) || (key != null && key.hasRawClass(Long.class));
        }
        return isLong(type) || (!isPublic && config.introspect(type).findJsonValueAccessor() != null);
    }
}
