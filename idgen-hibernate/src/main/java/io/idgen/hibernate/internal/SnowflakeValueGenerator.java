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

/**
 * Generates the values of attributes that are not ids, such as an order number: at the insert, unless a value is set.
 */
public final class SnowflakeValueGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<SnowflakeId> {
    private static final long serialVersionUID = 1L;

    private transient @Nullable Values values;

    /** Called by Hibernate. */
    public SnowflakeValueGenerator() {}

    @Override
    public void initialize(SnowflakeId annotation, GeneratorCreationContext context) {
        initialize(annotation, Attribute.member(context), context);
    }

    // The method of Hibernate before 7.3, which has no member details.
    @Override
    @SuppressWarnings("removal")
    public void initialize(SnowflakeId annotation, Member member, GeneratorCreationContext context) {
        values = Values.of(annotation, member, Attribute.property(member, context), context, false);
        values.contributeTables(context.getDatabase());
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return currentValue != null && IdType.isSet(currentValue)
                ? currentValue
                : Objects.requireNonNull(values, "initialized").next();
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }
}
