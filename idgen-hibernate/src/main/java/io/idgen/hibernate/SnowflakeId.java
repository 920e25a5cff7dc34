package io.idgen.hibernate;

import io.idgen.hibernate.internal.SnowflakeIdGenerator;
import io.idgen.hibernate.internal.SnowflakeValueGenerator;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Marks an attribute whose value idgen gives before the insert: an id at {@code persist()}, without SQL, so that inserts can
 * be batched; another attribute at the flush that inserts it, unless it has a value already.
 *
 * <pre>{@code
 * @Id @SnowflakeId
 * private Long id;
 * }</pre>
 *
 * <p>The attribute is a {@code long} or {@code Long}. What its values are is chosen by settings, not here: a snowflake unless
 * {@code idgen.strategy} says otherwise. With no setting at all, a database embedded in this process needs nothing more; on
 * any other, the boot is refused until a setting says which worker this process is.
 */
@IdGeneratorType(SnowflakeIdGenerator.class)
@ValueGenerationType(generatedBy = SnowflakeValueGenerator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface SnowflakeId {

    /**
     * The source of the values, for entities that share one or for a name that settings speak of. The entity's name if
     * empty (that of the root in a hierarchy); for an attribute that is no id, the entity's name, a dot and the attribute's.
     *
     * @return a name, or empty
     */
    String source() default "";
}
