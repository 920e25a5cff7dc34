package io.idgen.jackson;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.introspect.AnnotatedMember;

/**
 * The settings of the module, which decide the form of each attribute.
 *
 * @param publicIds null if there are none
 * @param largeAsStrings whether attributes without an annotation have {@link Form#LARGE}
 */
record Forms(@Nullable PublicIds publicIds, boolean largeAsStrings) {
    /** 2^53 - 1, the largest number that JavaScript distinguishes from its neighbours. */
    static final long LARGEST_EXACT = (1L << 53) - 1;

    /** The name of the annotation, so that the module does not need Hibernate. */
    private static final String SNOWFLAKE_ID = "io.idgen.hibernate.SnowflakeId";

    /** How ids appear in JSON. */
    enum Form {
        /** As Jackson writes and reads them. */
        PLAIN,
        /** As strings if they are large; read as Jackson reads them. */
        LARGE,
        /** As strings of decimal digits. */
        STRING,
        /** As public ids. */
        PUBLIC
    }

    /** Returns the form of an attribute. The attribute is null for values outside objects. */
    Form of(DatabindContext context, @Nullable BeanProperty attribute, Class<?> type) {
        if (attribute != null) {
            if (attribute.getAnnotation(PublicId.class) != null) {
                if (publicIds == null) {
                    context.reportBadDefinition(
                            attribute.getType(),
                            "attribute '" + attribute.getName() + "' has @PublicId, and the module has no keys to"
                                    + " encode ids with; create it by new IdgenModule().withPublicIds(…)");
                }
                return Form.PUBLIC;
            }
            if (attribute.getAnnotation(IdAsString.class) != null) {
                return Form.STRING;
            }
            JsonFormat.Shape shape =
                    attribute.findPropertyFormat(context.getConfig(), type).getShape();
            if (shape.isNumeric() || shape == JsonFormat.Shape.STRING) {
                return Form.PLAIN; // the application's choice
            }
            if (isSnowflakeId(attribute.getMember())) {
                return Form.STRING;
            }
        }
        return largeAsStrings ? Form.LARGE : Form.PLAIN;
    }

    private static boolean isSnowflakeId(@Nullable AnnotatedMember member) {
        return member != null
                && member.annotations()
                        .anyMatch(each -> each.annotationType().getName().equals(SNOWFLAKE_ID));
    }

    /** Returns these settings with the prefix of an attribute's public ids. */
    Forms withPrefixOf(@Nullable BeanProperty attribute) {
        PublicId annotation = attribute == null ? null : attribute.getAnnotation(PublicId.class);
        return annotation == null ? this : new Forms(keys().withPrefix(annotation.value()), largeAsStrings);
    }

    /** Returns the public ids, which must be set. */
    PublicIds keys() {
        return Objects.requireNonNull(publicIds);
    }
}
