package io.idgen.jackson2;

import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.module.SimpleDeserializers;
import com.fasterxml.jackson.databind.module.SimpleKeyDeserializers;
import com.fasterxml.jackson.databind.module.SimpleSerializers;
import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import java.math.BigInteger;
import java.util.Objects;

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
 * <p>It applies to {@code long}, {@code Long}, {@code BigInteger} and {@code long[]}, also in arrays, collections, maps
 * and {@code Optional}s; and not to {@code AtomicLong}, {@code OptionalLong} and the numbers of a {@code JsonNode}.
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
    private final Forms forms;

    /** Creates a module without public ids, which leaves numbers without an annotation as they are. */
    public IdgenModule() {
        this(new Forms(null, false));
    }

    private IdgenModule(Forms forms) {
        this.forms = forms;
    }

    /**
     * Returns a module that also writes numbers without an annotation as strings if they are above 2<sup>53</sup> - 1
     * or below -(2<sup>53</sup> - 1). Smaller ones remain numbers, so an attribute may be a number or a string. Choose
     * it for APIs whose clients expect that.
     *
     * @return a new module
     */
    public IdgenModule withLargeLongsAsStrings() {
        return new IdgenModule(new Forms(forms.publicIds(), true));
    }

    /**
     * Returns a module that writes and reads attributes with {@link PublicId}.
     *
     * @param publicIds encodes and decodes the ids
     * @return a new module
     */
    public IdgenModule withPublicIds(PublicIds publicIds) {
        return new IdgenModule(new Forms(Objects.requireNonNull(publicIds), forms.largeAsStrings()));
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
        SimpleSerializers serializers = new SimpleSerializers();
        serializers.addSerializer(long.class, new IdSerializer(long.class, forms));
        serializers.addSerializer(Long.class, new IdSerializer(Long.class, forms));
        serializers.addSerializer(BigInteger.class, new IdSerializer(BigInteger.class, forms));
        serializers.addSerializer(long[].class, new IdArrays.Serializer(forms));
        SimpleDeserializers deserializers = new SimpleDeserializers();
        deserializers.addDeserializer(long.class, new IdDeserializer<>(long.class, id -> id, forms));
        deserializers.addDeserializer(Long.class, new IdDeserializer<>(Long.class, id -> id, forms));
        deserializers.addDeserializer(
                BigInteger.class, new IdDeserializer<>(BigInteger.class, BigInteger::valueOf, forms));
        deserializers.addDeserializer(long[].class, new IdArrays.Deserializer(forms));
        SimpleSerializers keySerializers = new SimpleSerializers();
        keySerializers.addSerializer(Long.class, new IdKeys.Serializer(forms));
        SimpleKeyDeserializers keyDeserializers = new SimpleKeyDeserializers();
        keyDeserializers.addDeserializer(Long.class, new IdKeys.Deserializer(forms));
        context.addSerializers(serializers);
        context.addDeserializers(deserializers);
        context.addKeySerializers(keySerializers);
        context.addKeyDeserializers(keyDeserializers);
        context.addBeanSerializerModifier(new AttributeCheck());
    }
}
