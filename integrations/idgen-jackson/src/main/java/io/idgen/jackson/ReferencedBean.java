package io.idgen.jackson;

import tools.jackson.databind.ser.BeanSerializer;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.ObjectIdWriter;

/** An object with {@code @JsonIdentityInfo}: a reference to it has the form of its id. */
final class ReferencedBean extends BeanSerializer {
    private final IdSerializer id;

    ReferencedBean(BeanSerializerBase standard, IdSerializer id) {
        super(standard);
        this.id = id;
    }

    @Override
    public BeanSerializerBase withObjectIdWriter(ObjectIdWriter writer) {
        return super.withObjectIdWriter(writer.withSerializer(id));
    }
}
