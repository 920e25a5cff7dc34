package io.idgen.jackson2;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.util.AccessPattern;
import io.idgen.jackson2.Forms.Form;
import java.io.IOException;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reads an id in the form of its attribute. */
final class IdDeserializer<T> extends StdScalarDeserializer<T> implements ContextualDeserializer {
    private static final long serialVersionUID = 1;

    private final LongFunction<T> ofLong;
    private final Forms forms;
    private final Form form;
    private final JsonDeserializer<?> standard;

    /** Creates a deserializer for an unknown attribute. */
    IdDeserializer(Class<T> type, LongFunction<T> ofLong, Forms forms) {
        this(type, ofLong, forms, Form.STRING);
    }

    private IdDeserializer(Class<?> type, LongFunction<T> ofLong, Forms forms, Form form) {
        super(type);
        this.ofLong = ofLong;
        this.forms = forms;
        this.form = form;
        this.standard = Objects.requireNonNull(NumberDeserializers.find(type, type.getName()));
    }

    @Override
    public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute)
            throws JsonMappingException {
        Form wanted = forms.of(context, attribute, handledType());
        return switch (wanted) {
            case PLAIN, LARGE ->
                context.handleSecondaryContextualization(standard, attribute, context.constructType(handledType()));
            case STRING, PUBLIC -> new IdDeserializer<>(handledType(), ofLong, forms.withPrefixOf(attribute), wanted);
        };
    }

    @Override
    public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
        if (json.hasToken(JsonToken.VALUE_STRING)) {
            return ofText(json.getText(), context);
        }
        if (json.hasToken(JsonToken.VALUE_NUMBER_INT)) {
            return ofNumber(json.getNumberValue(), context);
        }
        return cast(context.handleUnexpectedToken(getValueType(context), json));
    }

    private T ofText(String text, DeserializationContext context) throws IOException {
        try {
            return ofLong.apply(form == Form.PUBLIC ? forms.keys().decode(text) : IdText.parse(text));
        } catch (IllegalArgumentException e) {
            return cast(context.handleWeirdStringValue(handledType(), text, "%s", e.getMessage()));
        }
    }

    private T ofNumber(Number number, DeserializationContext context) throws IOException {
        if (form == Form.PUBLIC) {
            return cast(context.handleWeirdNumberValue(
                    handledType(), number, "a public id is a string like k1_ and 13 characters; send that string"));
        }
        // an integer above the range of a long is above this limit too
        if (number.doubleValue() > Forms.LARGEST_EXACT || number.doubleValue() < -Forms.LARGEST_EXACT) {
            return cast(context.handleWeirdNumberValue(
                    handledType(),
                    number,
                    "above 2^53 - 1 (%d), an id must be a JSON string: JavaScript and other clients round such numbers"
                            + " to another id; send the id as a string of digits, as it was received",
                    Forms.LARGEST_EXACT));
        }
        return ofLong.apply(number.longValue());
    }

    @SuppressWarnings("unchecked") // the context has checked it
    private T cast(Object value) {
        return (T) value;
    }

    // ---- null, as Jackson reads it ----

    @Override
    public @Nullable T getNullValue(DeserializationContext context) throws JsonMappingException {
        Object read = standard.getNullValue(context);
        return read == null ? null : cast(read);
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) throws JsonMappingException {
        return standard.getAbsentValue(context);
    }

    @Override
    public AccessPattern getNullAccessPattern() {
        return standard.getNullAccessPattern();
    }
}
