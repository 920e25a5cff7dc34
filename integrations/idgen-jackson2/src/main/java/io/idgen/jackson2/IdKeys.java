package io.idgen.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.ContextualKeyDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdKeyDeserializer;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.idgen.jackson2.Forms.Form;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Keys of maps. They are public ids if the map's attribute has the annotation, otherwise digits, as Jackson writes
 * them.
 */
final class IdKeys {
    private IdKeys() {}

    /** Writes a key. */
    static final class Serializer extends StdSerializer<Long> implements ContextualSerializer {
        private static final long serialVersionUID = 1;

        private final Forms forms;
        private final boolean encoded;

        Serializer(Forms forms) {
            this(forms, false);
        }

        private Serializer(Forms forms, boolean encoded) {
            super(Long.class);
            this.forms = forms;
            this.encoded = encoded;
        }

        @Override
        public JsonSerializer<?> createContextual(SerializerProvider context, @Nullable BeanProperty attribute)
                throws JsonMappingException {
            boolean isPublic = forms.of(context, attribute, Long.class) == Form.PUBLIC;
            return isPublic ? new Serializer(forms.withPrefixOf(attribute), true) : new Serializer(forms);
        }

        @Override
        public void serialize(Long id, JsonGenerator json, SerializerProvider context) throws IOException {
            if (encoded) {
                json.writeFieldName(forms.keys().encode(id));
            } else {
                json.writeFieldId(id);
            }
        }
    }

    /** Reads a key. */
    static final class Deserializer extends KeyDeserializer implements ContextualKeyDeserializer {
        private final Forms forms;

        Deserializer(Forms forms) {
            this.forms = forms;
        }

        @Override
        public KeyDeserializer createContextual(DeserializationContext context, @Nullable BeanProperty attribute)
                throws JsonMappingException {
            return forms.of(context, attribute, Long.class) == Form.PUBLIC
                    ? new Deserializer(forms.withPrefixOf(attribute))
                    : StdKeyDeserializer.forType(Long.class);
        }

        @Override
        public @Nullable Object deserializeKey(String text, DeserializationContext context) throws IOException {
            try {
                return forms.keys().decode(text);
            } catch (IllegalArgumentException e) {
                return context.handleWeirdKey(Long.class, text, "%s", e.getMessage());
            }
        }
    }
}
