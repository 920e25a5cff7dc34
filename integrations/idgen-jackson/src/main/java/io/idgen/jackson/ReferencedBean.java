package io.idgen.jackson;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.BeanSerializer;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.ObjectIdWriter;

/** An object with {@code @JsonIdentityInfo}: a reference to it has the form of its id. */
final class ReferencedBean extends BeanSerializer {
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
    public ValueSerializer<?> createContextual(SerializationContext context, @Nullable BeanProperty attribute) {
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
