package io.idgen.jackson;

import io.idgen.jackson.Forms.Form;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.util.AccessPattern;

/** Reads an id in the form of its attribute. */
final class IdDeserializer<T> extends StdScalarDeserializer<T> {
    private final LongFunction<T> ofLong;
    private final Forms forms;
    private final Form form;
    private final ValueDeserializer<?> standard;

    /** Creates a deserializer for an unknown attribute. */
    IdDeserializer(Class<T> type, LongFunction<T> ofLong, Forms forms) {
        this(type, ofLong, forms, Form.STRING);
    }

    private IdDeserializer(Class<?> type, LongFunction<T> ofLong, Forms forms, Form form) {
        super(type);
        this.ofLong = ofLong;
        this.forms = forms;
        this.form = form;
        this.standard = NumberDeserializers.find(type);
    }

    @Override
    public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty attribute) {
        Form wanted = forms.of(context, attribute, handledType());
        return switch (wanted) {
            case PLAIN, LARGE -> standard.createContextual(context, attribute);
            case STRING, PUBLIC -> new IdDeserializer<>(handledType(), ofLong, forms.withPrefixOf(attribute), wanted);
        };
    }

    @Override
    public T deserialize(JsonParser json, DeserializationContext context) {
        if (json.hasToken(JsonToken.VALUE_STRING)) {
            return ofText(json.getString(), context);
        }
        if (json.hasToken(JsonToken.VALUE_NUMBER_INT)) {
            return ofNumber(json.getNumberValue(), context);
        }
        return cast(context.handleUnexpectedToken(getValueType(context), json));
    }

    private T ofText(String text, DeserializationContext context) {
        try {
            return ofLong.apply(form == Form.PUBLIC ? forms.keys().decode(text) : IdText.parse(text));
        } catch (IllegalArgumentException e) {
            return cast(context.handleWeirdStringValue(handledType(), text, "%s", e.getMessage()));
        }
    }

    private T ofNumber(Number number, DeserializationContext context) {
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
    public @Nullable Object getNullValue(DeserializationContext context) {
        return standard.getNullValue(context);
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
        return standard.getAbsentValue(context);
    }

    @Override
    public AccessPattern getNullAccessPattern() {
        return standard.getNullAccessPattern();
    }
}
