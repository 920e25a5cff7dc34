package io.idgen.jackson2;

import com.fasterxml.jackson.databind.ser.BeanSerializer;
import com.fasterxml.jackson.databind.ser.impl.ObjectIdWriter;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;

/** An object with {@code @JsonIdentityInfo}: a reference to it has the form of its id. */
final class ReferencedBean extends BeanSerializer {
    private static final long serialVersionUID = 1;

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
