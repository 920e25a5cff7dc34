package io.idgen.jackson2;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.deser.ContextualKeyDeserializer;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdKeyDeserializer;
import io.idgen.text.internal.IdForm;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads an id in the form of its attribute; without a form, as Jackson reads it. */
final class IdDeserializer extends DelegatingDeserializer {
    private static final long serialVersionUID = 1;

    private final IdgenModule module;
    private final @Nullable IdForm form;

    IdDeserializer(JsonDeserializer<?> standard, IdgenModule module, @Nullable IdForm form) {
        super(standard);
        this.module = module;
        this.form = form;
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> standard) {
        return new IdDeserializer(standard, module, form);
    }

    @Override
    public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute)
            throws JsonMappingException {
        IdForm wanted = module.formOf(context.getConfig(), attribute);
        return wanted == null
                ? context.handleSecondaryContextualization(
                        getDelegatee(), attribute, context.constructType(handledType()))
                : new IdDeserializer(getDelegatee(), module, wanted);
    }

    @Override
    public @Nullable Object deserialize(JsonParser json, DeserializationContext context) throws IOException {
        if (form == null) {
            return super.deserialize(json, context);
        }
        if (json.hasToken(JsonToken.VALUE_STRING)) {
            try {
                return form.read(json.getText());
            } catch (IllegalArgumentException e) {
                return context.handleWeirdStringValue(handledType(), json.getText(), "%s", e.getMessage());
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
            return wanted == null ? StdKeyDeserializer.forType(Long.class) : new OfKey(module, wanted);
        }

        @Override
        public @Nullable Object deserializeKey(String text, DeserializationContext context) throws IOException {
            try {
                return form.read(text);
            } catch (IllegalArgumentException e) {
                return context.handleWeirdKey(Long.class, text, "%s", e.getMessage());
            }
        }
    }
}
