package io.idgen.jackson;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ContextualKeyDeserializer;
import tools.jackson.databind.deser.jdk.JDKKeyDeserializer;
import tools.jackson.databind.deser.std.DelegatingDeserializer;

/** Reads an id in the form of its attribute; without a form, as Jackson reads it. */
final class IdDeserializer extends DelegatingDeserializer {
    private final IdgenModule module;
    private final @Nullable IdForm form;

    IdDeserializer(ValueDeserializer<?> standard, IdgenModule module, @Nullable IdForm form) {
        super(standard);
        this.module = module;
        this.form = form;
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> standard) {
        return new IdDeserializer(standard, module, form);
    }

    @Override
    public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute) {
        IdForm wanted = module.formOf(context.getConfig(), attribute);
        return wanted == null
                ? getDelegatee().createContextual(context, attribute)
                : new IdDeserializer(getDelegatee(), module, wanted);
    }

    @Override
    public @Nullable Object deserialize(JsonParser json, DeserializationContext context) {
        if (form == null) {
            return super.deserialize(json, context);
        }
        if (json.hasToken(JsonToken.VALUE_STRING)) {
            try {
                return form.read(json.getString());
            } catch (IllegalArgumentException e) {
                return context.handleWeirdStringValue(handledType(), json.getString(), "%s", e.getMessage());
            }
        }
        if (!json.hasToken(JsonToken.VALUE_NUMBER_INT)) {
            return context.handleUnexpectedToken(getValueType(context), json);
        }
        Number number = json.getNumberValue();
        if (form.publicIds() != null) {
            return context.handleWeirdNumberValue(
                    handledType(), number, "a public id is a string like k1_ and 13 characters; send that string");
        }
        // an integer above the range of a long is above this limit too
        if (Math.abs(number.doubleValue()) > IdForm.LARGEST_EXACT) {
            return context.handleWeirdNumberValue(
                    handledType(),
                    number,
                    "above 2^53 - 1 (%d), an id must be a JSON string: JavaScript and other clients round such numbers"
                            + " to another id; send the id as a string of digits, as it was received",
                    IdForm.LARGEST_EXACT);
        }
        return number.longValue();
    }

    /** Reads the key of a map. */
    static final class OfKey extends KeyDeserializer implements ContextualKeyDeserializer {
        private final IdgenModule module;
        private final IdForm form;

        OfKey(IdgenModule module, IdForm form) {
            this.module = module;
            this.form = form;
        }

        @Override
        public KeyDeserializer createContextual(DeserializationContext context, @Nullable BeanProperty attribute) {
            IdForm wanted = module.formOf(context.getConfig(), attribute);
            return wanted == null ? JDKKeyDeserializer.forType(Long.class) : new OfKey(module, wanted);
        }

        @Override
        public @Nullable Object deserializeKey(String text, DeserializationContext context) {
            try {
                return form.read(text);
            } catch (IllegalArgumentException e) {
                return context.handleWeirdKey(Long.class, text, "%s", e.getMessage());
            }
        }
    }
}
