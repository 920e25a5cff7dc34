package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.hibernate.SnowflakeId;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Set;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.PersistentClass;

/**
 * An attribute that carries {@link SnowflakeId}: whose values they are, and whether its type can hold them.
 *
 * @param entity the root entity's name as JPA has it; that of the declaring class where Hibernate does not know it yet
 * @param name the attribute's
 */
record GeneratedAttribute(String entity, String name) {

    /** Types that say nothing: the attribute of a generic superclass. The mapping knows better. */
    private static final Set<Class<?>> GENERIC =
            Set.of(Object.class, Serializable.class, Comparable.class, Number.class);

    /** Reads the attribute from what Hibernate knows when it makes a generator; refuses a type that cannot hold ids. */
    static GeneratedAttribute of(Member member, GeneratorCreationContext context) {
        PersistentClass owner = context.getPersistentClass();
        String entity = owner == null
                ? member.getDeclaringClass().getSimpleName()
                : owner.getRootClass().getJpaEntityName();
        Class<?> type = member instanceof Method getter ? getter.getReturnType() : ((Field) member).getType();
        if (GENERIC.contains(type) && context.getProperty() != null) {
            type = context.getProperty().getType().getReturnedClass();
        }
        if (type != long.class && type != Long.class) {
            throw new ConfigurationException(
                    ErrorCode.UNSUPPORTED_ID_TYPE,
                    "@SnowflakeId stands on " + entity + "." + member.getName() + ", which is of type " + type.getName()
                            + "; ids have 63 bits: make it a long or Long");
        }
        return new GeneratedAttribute(entity, member.getName());
    }
}
