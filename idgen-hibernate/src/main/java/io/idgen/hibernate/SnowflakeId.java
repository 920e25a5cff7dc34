package io.idgen.hibernate;

import io.idgen.core.text.IdCodec;
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
 * <p>The attribute is a {@code long}, {@code Long}, {@code BigInteger} or {@code String}; an {@code int}, {@code Integer},
 * {@code short} or {@code Short} if its source gives no larger ids; or of a class of the application's own, such as a record,
 * with a constructor that takes one of these. Anything else is refused at boot. It may stand in an embedded id, in an id
 * class, in an embeddable, and in a mapped superclass, generic or not. An HQL {@code insert} gives ids, and leaves attributes
 * that are no ids null.
 *
 * <p>What the values are is chosen by settings, not here: a snowflake unless {@code idgen.strategy} says otherwise. With no
 * setting at all, a database embedded in this process needs nothing more; on any other, the worker id is leased from a table
 * in it, {@code idgen_worker}, with the first id. Where Hibernate makes the schema, idgen's tables come with it.
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

    /**
     * How a value is written where the attribute is a {@code String}. Texts cannot be asked for the largest id among them: a
     * source that comes from a table is told where it begins by {@code idgen.sources.<name>.start}.
     *
     * @return the codec; its column needs {@link IdCodec#maxLength} characters
     */
    IdCodec codec() default IdCodec.BASE32;

    /**
     * What becomes of an id that the application has set itself. (An attribute that is no id keeps what is set.)
     *
     * @return whether it is refused or kept
     */
    Preset preset() default Preset.REFUSE;

    /** What becomes of an id that is set before the entity is new to the database; 0 and null are not set. */
    enum Preset {
        /**
         * An entity with an id is one that the database has, as Hibernate takes it: {@code persist} refuses it, {@code merge}
         * looks for its row and refuses if there is none, and {@code StatelessSession.insert} refuses it too.
         */
        REFUSE,

        /**
         * It is inserted with the id it has, by {@code persist}, {@code merge} and {@code StatelessSession.insert}. For data
         * that is moved here, and for ids drawn in constructors, from {@link EntityIds}. Its price: a row that somebody else has deleted is inserted
         * again when it is merged (unless it has a version), and a row persisted twice is noticed by the database alone.
         */
        KEEP
    }
}
