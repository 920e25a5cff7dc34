package io.idgen.jackson;

import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import io.idgen.text.internal.IdForm;
import java.util.Iterator;
import java.util.List;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.introspect.ObjectIdInfo;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/** Refuses annotations that have no effect, since the id would appear as a number; and gives references their form. */
final class AttributeCheck extends ValueSerializerModifier {
    private static final long serialVersionUID = 1;

    private final IdgenModule module;

    AttributeCheck(IdgenModule module) {
        this.module = module;
    }

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
                        + " or a Long[], collection, map or Optional of Long, or leave the annotation out");
            }
        }
        return attributes;
    }

    @Override
    public ValueSerializer<?> modifySerializer(
            SerializationConfig config, BeanDescription.Supplier type, ValueSerializer<?> serializer) {
        AnnotatedMember value = type.get().findJsonValueAccessor();
        if (value != null && isAnnotated(value)) {
            throw new IllegalArgumentException(
                    "the @JsonValue of " + type.getBeanClass().getName()
                            + " has @IdAsString or @PublicId, which have no effect there; annotate the attributes of this type");
        }
        ObjectIdInfo reference = type.get().getObjectIdInfo();
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
        return isLong(type) || (!isPublic && describe(type, config).findJsonValueAccessor() != null);
    }

    private static BeanDescription describe(JavaType type, SerializationConfig config) {
        ClassIntrospector classes = config.classIntrospectorInstance();
        return classes.introspectForSerialization(type, classes.introspectClassAnnotations(type));
    }
}
