package io.idgen.jackson;

import io.idgen.text.internal.IdForm;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.jdk.NumberSerializers;
import tools.jackson.databind.ser.std.StdScalarSerializer;
import tools.jackson.databind.util.StdConverter;

/** Writes a number, or the key of a map, in the form of its attribute. */
final class IdSerializer extends StdScalarSerializer<Long> {
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
    public ValueSerializer<?> createContextual(SerializationContext context, @Nullable BeanProperty attribute) {
        IdForm wanted = module.formOf(context.getConfig(), attribute);
        return isKey || wanted != null || module.writesLargeAsStrings(context.getConfig(), attribute)
                ? new IdSerializer(module, isKey, wanted)
                : new NumberSerializers.LongSerializer(Long.class).createContextual(context, attribute);
    }

    @Override
    public void serialize(Long id, JsonGenerator json, SerializationContext context) {
        if (isKey) {
            json.writeName(form == null ? id.toString() : form.write(id));
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
