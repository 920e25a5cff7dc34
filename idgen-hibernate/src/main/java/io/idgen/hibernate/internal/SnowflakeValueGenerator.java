package io.idgen.hibernate.internal;

import io.idgen.hibernate.SnowflakeId;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.jspecify.annotations.Nullable;

/** Gives values to attributes that are no ids, such as an order number: at the insert, unless there is one already. */
public final class SnowflakeValueGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<SnowflakeId> {
    private static final long serialVersionUID = 1L;

    private transient @Nullable IdgenService service;
    private String source = "";

    /** Made by Hibernate. */
    public SnowflakeValueGenerator() {}

    @Override
    public void initialize(SnowflakeId annotation, GeneratorCreationContext context) {
        initialize(annotation, context.getMemberDetails().toJavaMember(), context);
    }

    // The form of Hibernate before 7.3, which knows no member details.
    @Override
    @SuppressWarnings("removal")
    public void initialize(SnowflakeId annotation, Member member, GeneratorCreationContext context) {
        GeneratedAttribute attribute = GeneratedAttribute.of(member, context);
        source = annotation.source().isEmpty() ? attribute.entity() + "." + attribute.name() : annotation.source();
        service = Objects.requireNonNull(context.getServiceRegistry().getService(IdgenService.class));
        service.bind(source);
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return currentValue instanceof Long value && value != 0
                ? value
                : (Object) Objects.requireNonNull(service, "initialized")
                        .source(source)
                        .nextId();
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }
}
