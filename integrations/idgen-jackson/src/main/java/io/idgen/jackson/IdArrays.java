package io.idgen.jackson;

import io.idgen.jackson.Forms.Form;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.jdk.PrimitiveArrayDeserializers;
import tools.jackson.databind.deser.std.StdConvertingDeserializer;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.ser.jdk.JDKArraySerializers;
import tools.jackson.databind.ser.std.StdConvertingSerializer;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.util.StdConverter;

/** A {@code long[]} in the form of its attribute: as {@code Long[]}, unless the form is Jackson's own. */
final class IdArrays {
    private IdArrays() {}

    /** Writes an array. */
    static final class Serializer extends StdSerializer<long[]> {
        private final Forms forms;

        Serializer(Forms forms) {
            super(long[].class);
            this.forms = forms;
        }

        @Override
        public ValueSerializer<?> createContextual(SerializationContext context, @Nullable BeanProperty attribute) {
            ValueSerializer<?> chosen = forms.of(context, attribute, long.class) == Form.PLAIN
                    ? new JDKArraySerializers.LongArraySerializer()
                    : new StdConvertingSerializer(long[].class, new Boxed());
            return chosen.createContextual(context, attribute);
        }

        @Override
        public void serialize(long[] ids, JsonGenerator json, SerializationContext context) {
            json.writeArray(ids, 0, ids.length); // used only if Jackson does not call createContextual
        }
    }

    /** Reads an array. */
    static final class Deserializer extends StdDeserializer<long[]> {
        private final Forms forms;

        Deserializer(Forms forms) {
            super(long[].class);
            this.forms = forms;
        }

        @Override
        public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute) {
            Form form = forms.of(context, attribute, long.class);
            ValueDeserializer<?> chosen = form == Form.PLAIN || form == Form.LARGE
                    ? PrimitiveArrayDeserializers.forType(long.class)
                    : new StdConvertingDeserializer<>(new Unboxed());
            return chosen.createContextual(context, attribute);
        }

        @Override
        public long[] deserialize(JsonParser json, DeserializationContext context) {
            throw new IllegalStateException("no context");
        }
    }

    private static final class Boxed extends StdConverter<long[], Long[]> {
        @Override
        public Long[] convert(long[] ids) {
            return Arrays.stream(ids).boxed().toArray(Long[]::new);
        }
    }

    private static final class Unboxed extends StdConverter<@Nullable Long[], long[]> {
        @Override
        public long[] convert(@Nullable Long[] ids) {
            long[] unboxed = new long[ids.length];
            for (int i = 0; i < ids.length; i++) {
                Long id = ids[i];
                if (id == null) {
                    throw new IllegalArgumentException("element " + i + " of an array of ids is null; leave it out");
                }
                unboxed[i] = id;
            }
            return unboxed;
        }
    }
}
