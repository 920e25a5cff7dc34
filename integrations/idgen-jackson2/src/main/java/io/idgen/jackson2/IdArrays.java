package io.idgen.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.PrimitiveArrayDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.ser.std.StdArraySerializers;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.idgen.jackson2.Forms.Form;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A {@code long[]} in the form of its attribute: as {@code Long[]}, unless the form is Jackson's own. */
final class IdArrays {
    private IdArrays() {}

    /** Writes an array. */
    static final class Serializer extends StdSerializer<long[]> implements ContextualSerializer {
        private static final long serialVersionUID = 1;

        private final Forms forms;

        Serializer(Forms forms) {
            super(long[].class);
            this.forms = forms;
        }

        @Override
        public JsonSerializer<?> createContextual(SerializerProvider context, @Nullable BeanProperty attribute)
                throws JsonMappingException {
            JsonSerializer<?> chosen = forms.of(context, attribute, long.class) == Form.PLAIN
                    ? new StdArraySerializers.LongArraySerializer()
                    : new StdDelegatingSerializer(long[].class, new Boxed());
            return context.handleSecondaryContextualization(chosen, attribute);
        }

        @Override
        public void serialize(long[] ids, JsonGenerator json, SerializerProvider context) throws IOException {
            json.writeArray(ids, 0, ids.length); // used only if Jackson does not call createContextual
        }
    }

    /** Reads an array. */
    static final class Deserializer extends StdDeserializer<long[]> implements ContextualDeserializer {
        private static final long serialVersionUID = 1;

        private final Forms forms;

        Deserializer(Forms forms) {
            super(long[].class);
            this.forms = forms;
        }

        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute)
                throws JsonMappingException {
            Form form = forms.of(context, attribute, long.class);
            JsonDeserializer<?> chosen = form == Form.PLAIN || form == Form.LARGE
                    ? PrimitiveArrayDeserializers.forType(long.class)
                    : new StdDelegatingDeserializer<>(new Unboxed());
            return context.handleSecondaryContextualization(chosen, attribute, context.constructType(long[].class));
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
