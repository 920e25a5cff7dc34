package io.idgen.jackson2;

import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.BeanSerializer;
import com.fasterxml.jackson.databind.ser.impl.ObjectIdWriter;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import org.jspecify.annotations.Nullable;

/** An object with {@code @JsonIdentityInfo}: a reference to it has the form of its id. */
final class ReferencedBean extends BeanSerializer {
    private static final long serialVersionUID = 1;

    private final IdgenModule module;
    private final BeanProperty id;
    private final @Nullable IdForm form;

    ReferencedBean(BeanSerializerBase standard, IdgenModule module, BeanProperty id) {
        this(standard, module, id, null);
    }

    private ReferencedBean(BeanSerializerBase standard, IdgenModule module, BeanProperty id, @Nullable IdForm form) {
        super(standard);
        this.module = module;
        this.id = id;
        this.form = form;
    }

    @Override
    public JsonSerializer<?> createContextual(SerializerProvider context, @Nullable BeanProperty attribute)
            throws JsonMappingException {
        IdForm found = form == null ? module.formOf(context, id) : null;
        return found == null
                ? super.createContextual(context, attribute)
                : new ReferencedBean(this, module, id, found).createContextual(context, attribute);
    }

    @Override
    public BeanSerializerBase withObjectIdWriter(ObjectIdWriter writer) {
        return super.withObjectIdWriter(
                form == null ? writer : writer.withSerializer(new IdSerializer(module, false, form)));
    }
}
