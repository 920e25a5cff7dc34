package io.idgen.jackson;

import io.idgen.text.internal.IdForm;
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
        String refusal = form.refusal(number);
        return refusal == null
                ? (Object) number.longValue()
                : context.handleWeirdNumberValue(handledType(), number, "%s", refusal);
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
