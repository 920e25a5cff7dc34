package io.idgen.spring.boot;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.annotation.Annotation;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Describes ids in a contract as strings, by the rules of {@code IdgenModule}: attributes and parameters with {@link
 * IdAsString} or {@link PublicId}, and attributes with {@code @SnowflakeId}. Safe for many threads.
 *
 * @param inJson whether a module for Jackson writes attributes of JSON objects as strings
 */
record IdSchemas(boolean inJson) implements ModelConverter {
    private static final Set<Class<?>> ID_TYPES = Set.of(long.class, Long.class, BigInteger.class);

    /** The name of the annotation, so that the contract does not need Hibernate. */
    private static final String SNOWFLAKE_ID = "io.idgen.hibernate.SnowflakeId";

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> next) {
        if (!next.hasNext()) {
            return null;
        }
        return next.next().resolve(isString(type) ? asText(type) : type, context, next);
    }

    private boolean isString(AnnotatedType type) {
        Annotation[] annotations = type.getCtxAnnotations();
        if (annotations == null || (type.isSchemaProperty() && !inJson)) {
            return false;
        }
        boolean isSnowflake = false;
        boolean isFormatted = false;
        for (Annotation each : annotations) {
            if (each instanceof IdAsString || each instanceof PublicId) {
                return true;
            }
            isSnowflake |= each.annotationType().getName().equals(SNOWFLAKE_ID);
            isFormatted |= each instanceof JsonFormat format
                    && (format.shape().isNumeric() || format.shape() == JsonFormat.Shape.STRING);
        }
        return isSnowflake && !isFormatted;
    }

    /** Returns the type with text in place of numbers, and without the annotations that this class has applied. */
    private static AnnotatedType asText(AnnotatedType type) {
        return new AnnotatedType(asText(Json.mapper().constructType(type.getType())))
                .name(type.getName())
                .parent(type.getParent())
                .jsonUnwrappedHandler(type.getJsonUnwrappedHandler())
                .skipOverride(type.isSkipOverride())
                .schemaProperty(type.isSchemaProperty())
                .ctxAnnotations(Arrays.stream(type.getCtxAnnotations())
                        .filter(each -> !(each instanceof IdAsString || each instanceof PublicId)
                                && !each.annotationType().getName().equals(SNOWFLAKE_ID))
                        .toArray(Annotation[]::new))
                .resolveAsRef(type.isResolveAsRef())
                .jsonViewAnnotation(type.getJsonViewAnnotation())
                .includePropertiesWithoutJSONView(type.isIncludePropertiesWithoutJSONView())
                .skipSchemaName(type.isSkipSchemaName())
                .skipJsonIdentity(type.isSkipJsonIdentity())
                .propertyName(type.getPropertyName())
                .components(type.getComponents());
    }

    private static JavaType asText(JavaType type) {
        if (isId(type)) {
            return TypeFactory.defaultInstance().constructType(String.class);
        }
        JavaType content = type.getContentType();
        return content == null ? type : type.withContentType(asText(content));
    }

    private static boolean isId(JavaType type) {
        if (ID_TYPES.contains(type.getRawClass())) {
            return true;
        }
        if (type.isContainerType() || type.isReferenceType() || type.isPrimitive()) {
            return false;
        }
        AnnotatedMember value =
                Json.mapper().getSerializationConfig().introspect(type).findJsonValueAccessor();
        return value != null && isId(value.getType());
    }
}
