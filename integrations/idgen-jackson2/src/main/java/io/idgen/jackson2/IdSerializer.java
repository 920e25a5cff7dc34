package io.idgen.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.ser.std.NumberSerializer;
import com.fasterxml.jackson.databind.ser.std.NumberSerializers;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import io.idgen.jackson2.Forms.Form;
import java.io.IOException;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Writes a number in the form of its attribute. */
final class IdSerializer extends StdScalarSerializer<Number> implements ContextualSerializer {
    private static final long serialVersionUID = 1;
    private static final BigInteger LARGEST_EXACT = BigInteger.valueOf(Forms.LARGEST_EXACT);

    private final Forms forms;
    private final Form form;

    /** Creates a serializer for an unknown attribute. */
    IdSerializer(Class<? extends Number> type, Forms forms) {
        this(type, forms, forms.largeAsStrings() ? Form.LARGE : Form.PLAIN);
    }

    private IdSerializer(Class<?> type, Forms forms, Form form) {
        super(type, false);
        this.forms = forms;
        this.form = form;
    }

    @Override
    public JsonSerializer<?> createContextual(SerializerProvider context, @Nullable BeanProperty attribute)
            throws JsonMappingException {
        Form wanted = forms.of(context, attribute, handledType());
        return switch (wanted) {
            case PLAIN -> context.handleSecondaryContextualization(standard(), attribute);
            case LARGE, STRING, PUBLIC -> new IdSerializer(handledType(), forms.withPrefixOf(attribute), wanted);
        };
    }

    private JsonSerializer<?> standard() {
        return BigInteger.class.equals(handledType())
                ? new NumberSerializer(BigInteger.class)
                : new NumberSerializers.LongSerializer(handledType());
    }

    @Override
    public void serialize(Number id, JsonGenerator json, SerializerProvider context) throws IOException {
        BigInteger exactly = id instanceof BigInteger big ? big : BigInteger.valueOf(id.longValue());
        if (form == Form.PUBLIC) {
            json.writeString(forms.keys().encode(asId(exactly, context)));
        } else if (form == Form.STRING) {
            json.writeString(Long.toString(asId(exactly, context)));
        } else if (form == Form.LARGE && exactly.abs().compareTo(LARGEST_EXACT) > 0) {
            json.writeString(exactly.toString());
        } else {
            json.writeNumber(exactly);
        }
    }

    /** Refuses a number that could not be read again. */
    private static long asId(BigInteger number, SerializerProvider context) throws JsonMappingException {
        if (number.bitLength() >= Long.SIZE) {
            context.reportMappingProblem(
                    "an id is at most %s, got %s; leave out the annotation if it is no id", Long.MAX_VALUE, number);
        }
        return number.longValue();
    }
}
