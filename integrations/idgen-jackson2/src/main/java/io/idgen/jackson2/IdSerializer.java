package io.idgen.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.ser.std.NumberSerializers;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.idgen.text.internal.IdForm;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes a number, or the key of a map, in the form of its attribute. */
final class IdSerializer extends StdScalarSerializer<Long> implements ContextualSerializer {
    private static final long serialVersionUID = 1;

    private final IdgenModule module;
    private final boolean isKey;
    private final @Nullable IdForm form;

    IdSerializer(IdgenModule module, boolean isKey, @Nullable IdForm form) {
        super(Long.class);
        this.module = module;
        this.isKey = isKey;
        this.form = form;
    }

    @Override
    public JsonSerializer<?> createContextual(SerializerProvider context, @Nullable BeanProperty attribute)
            throws JsonMappingException {
        IdForm wanted = module.formOf(context.getConfig(), attribute);
        return isKey || wanted != null || module.writesLargeAsStrings(context.getConfig(), attribute)
                ? new IdSerializer(module, isKey, wanted)
                : context.handleSecondaryContextualization(new NumberSerializers.LongSerializer(Long.class), attribute);
    }

    @Override
    public void serialize(Long id, JsonGenerator json, SerializerProvider context) throws IOException {
        if (isKey) {
            json.writeFieldName(form == null ? id.toString() : form.write(id));
        } else if (form != null) {
            json.writeString(form.write(id));
        } else if (IdForm.isRounded(id)) {
            json.writeString(id.toString());
        } else {
            json.writeNumber(id);
        }
    }

    /** Boxes an array, whose elements then have the form of its attribute. */
    static final class Boxed extends StdConverter<long[], Long[]> {
        @Override
        public Long[] convert(long[] ids) {
            return Arrays.stream(ids).boxed().toArray(Long[]::new);
        }
    }
}
