package io.idgen.jackson;

import io.idgen.jackson.Forms.Form;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.ContextualKeyDeserializer;
import tools.jackson.databind.deser.jdk.JDKKeyDeserializer;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Keys of maps. They are public ids if the map's attribute has the annotation, otherwise digits, as Jackson writes
 * them.
 */
final class IdKeys {
    private IdKeys() {}

    /** Writes a key. */
    static final class Serializer extends StdSerializer<Long> {
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
        public ValueSerializer<?> createContextual(SerializationContext context, @Nullable BeanProperty attribute) {
            boolean isPublic = forms.of(context, attribute, Long.class) == Form.PUBLIC;
            return isPublic ? new Serializer(forms.withPrefixOf(attribute), true) : new Serializer(forms);
        }

        @Override
        public void serialize(Long id, JsonGenerator json, SerializationContext context) {
            if (encoded) {
                json.writeName(forms.keys().encode(id));
            } else {
                json.writePropertyId(id);
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
        public KeyDeserializer createContextual(DeserializationContext context, @Nullable BeanProperty attribute) {
            return forms.of(context, attribute, Long.class) == Form.PUBLIC
                    ? new Deserializer(forms.withPrefixOf(attribute))
                    : JDKKeyDeserializer.forType(Long.class);
        }

        @Override
        public @Nullable Object deserializeKey(String text, DeserializationContext context) {
            try {
                return forms.keys().decode(text);
            } catch (IllegalArgumentException e) {
                return context.handleWeirdKey(Long.class, text, "%s", e.getMessage());
            }
        }
    }
}
