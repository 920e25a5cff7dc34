package io.idgen.jackson2;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.module.SimpleDeserializers;
import com.fasterxml.jackson.databind.module.SimpleKeyDeserializers;
import com.fasterxml.jackson.databind.module.SimpleSerializers;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import io.idgen.text.internal.IdForm;
import java.lang.annotation.Annotation;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes ids in JSON so that no client receives another id. JavaScript rounds numbers above 2<sup>53</sup>, so the
 * module writes these attributes as strings:
 *
 * <ul>
 *   <li>those with {@link IdAsString} or with {@code @SnowflakeId} of idgen-hibernate, as decimal digits;
 *   <li>those with {@link PublicId}, as the {@link PublicIds} encode them that you pass to {@link #withPublicIds};
 *   <li>after {@link #withLargeLongsAsStrings}, all other values above 2<sup>53</sup> - 1, as decimal digits.
 * </ul>
 *
 * <pre>{@code
 * JsonMapper mapper = JsonMapper.builder().addModule(new IdgenModule()).build();
 * }</pre>
 *
 * <p>It applies to {@code long} and {@code Long}, also in a {@code Long[]}, in collections, maps and {@code Optional}s;
 * and not to other types of numbers.
 *
 * <p>Attributes with an annotation are read from strings. From a number they are read only if it is at most
 * 2<sup>53</sup> - 1: a client may have rounded a larger one to another id. {@code @JsonFormat(shape = NUMBER)} excepts
 * an attribute from {@code @SnowflakeId} and from {@link #withLargeLongsAsStrings}. Without an annotation, numbers are
 * read as Jackson reads them.
 *
 * <p>{@code ObjectMapper.findAndRegisterModules} finds this module. It does not replace one that is already registered,
 * so register yours first. Immutable and safe for many threads.
 */
public final class IdgenModule extends Module {
    /** The name of the annotation, so that the module does not need Hibernate. */
    private static final String SNOWFLAKE_ID = "io.idgen.hibernate.SnowflakeId";

    private final @Nullable PublicIds publicIds;
    private final boolean largeAsStrings;

    /** Creates a module without public ids, which leaves numbers without an annotation as they are. */
    public IdgenModule() {
        this(null, false);
    }

    private IdgenModule(@Nullable PublicIds publicIds, boolean largeAsStrings) {
        this.publicIds = publicIds;
        this.largeAsStrings = largeAsStrings;
    }

    /**
     * Returns a module that also writes numbers without an annotation as strings if they are above 2<sup>53</sup> - 1
     * or below -(2<sup>53</sup> - 1). Smaller ones remain numbers, so an attribute may be a number or a string. Choose
     * it for APIs whose clients expect that.
     *
     * @return a new module
     */
    public IdgenModule withLargeLongsAsStrings() {
        return new IdgenModule(publicIds, true);
    }

    /**
     * Returns a module that writes and reads attributes with {@link PublicId}.
     *
     * @param publicIds encodes and decodes the ids
     * @return a new module
     */
    public IdgenModule withPublicIds(PublicIds publicIds) {
        return new IdgenModule(Objects.requireNonNull(publicIds), largeAsStrings);
    }

    @Override
    public String getModuleName() {
        return "idgen";
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public void setupModule(SetupContext context) {
        IdSerializer ids = new IdSerializer(this, false, null);
        SimpleSerializers serializers = new SimpleSerializers();
        serializers.addSerializer(long.class, ids);
        serializers.addSerializer(Long.class, ids);
        if (largeAsStrings) {
            serializers.addSerializer(long[].class, new StdDelegatingSerializer(new IdSerializer.Boxed()));
        }
        SimpleSerializers keys = new SimpleSerializers();
        keys.addSerializer(Long.class, new IdSerializer(this, true, null));
        SimpleKeyDeserializers keyDeserializers = new SimpleKeyDeserializers();
        keyDeserializers.addDeserializer(Long.class, new IdDeserializer.OfKey(this, IdForm.DIGITS));
        context.addSerializers(serializers);
        context.addKeySerializers(keys);
        context.addDeserializers(new SimpleDeserializers(Map.of(
                long.class, reading(NumberDeserializers.find(long.class, "long")),
                Long.class, reading(NumberDeserializers.find(Long.class, "java.lang.Long")))));
        context.addKeyDeserializers(keyDeserializers);
        context.addBeanSerializerModifier(new AttributeCheck(this));
    }

    private IdDeserializer reading(JsonDeserializer<?> standard) {
        return new IdDeserializer(standard, this, null);
    }

    /** Returns the form of an attribute; null for one without an annotation, and for values outside objects. */
    @Nullable
    IdForm formOf(MapperConfig<?> config, @Nullable BeanProperty attribute) {
        if (attribute == null) {
            return null;
        }
        PublicId encoded = attribute.getAnnotation(PublicId.class);
        if (encoded != null) {
            return IdForm.of(encoded, publicIds, attribute.getName());
        }
        boolean isString = attribute.getAnnotation(IdAsString.class) != null
                || (isSnowflakeId(attribute.getMember()) && !isFormatted(config, attribute));
        return isString ? IdForm.DIGITS : null;
    }

    /** Returns whether numbers that JavaScript would round are strings in an attribute without a form. */
    boolean writesLargeAsStrings(MapperConfig<?> config, @Nullable BeanProperty attribute) {
        return largeAsStrings && (attribute == null || !isFormatted(config, attribute));
    }

    private static boolean isFormatted(MapperConfig<?> config, BeanProperty attribute) {
        JsonFormat.Shape shape =
                attribute.findPropertyFormat(config, Long.class).getShape();
        return shape.isNumeric() || shape == JsonFormat.Shape.STRING;
    }

    private static boolean isSnowflakeId(@Nullable AnnotatedMember member) {
        if (member != null) {
            for (Annotation each : member.getAllAnnotations().annotations()) {
                if (each.annotationType().getName().equals(SNOWFLAKE_ID)) {
                    return true;
                }
            }
        }
        return false;
    }
}
