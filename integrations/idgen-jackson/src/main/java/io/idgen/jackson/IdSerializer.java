package io.idgen.jackson;

import io.idgen.jackson.Forms.Form;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.jdk.NumberSerializer;
import tools.jackson.databind.ser.jdk.NumberSerializers;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** Writes a number in the form of its attribute. */
final class IdSerializer extends StdScalarSerializer<Number> {
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
    public ValueSerializer<?> createContextual(SerializationContext context, @Nullable BeanProperty attribute) {
        Form wanted = forms.of(context, attribute, handledType());
        return switch (wanted) {
            case PLAIN -> standard().createContextual(context, attribute);
            case LARGE, STRING, PUBLIC -> new IdSerializer(handledType(), forms.withPrefixOf(attribute), wanted);
        };
    }

    private ValueSerializer<?> standard() {
        return BigInteger.class.equals(handledType())
                ? new NumberSerializer(BigInteger.class)
                : new NumberSerializers.LongSerializer(handledType());
    }

    @Override
    public void serialize(Number id, JsonGenerator json, SerializationContext context) {
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
    private static long asId(BigInteger number, SerializationContext context) {
        if (number.bitLength() >= Long.SIZE) {
            context.reportMappingProblem(
                    "an id is at most %s, got %s; leave out the annotation if it is no id", Long.MAX_VALUE, number);
        }
        return number.longValue();
    }
}
