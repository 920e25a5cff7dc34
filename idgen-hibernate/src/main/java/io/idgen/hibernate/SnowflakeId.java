package io.idgen.hibernate;

import io.idgen.hibernate.internal.SnowflakeIdGenerator;
import io.idgen.hibernate.internal.SnowflakeValueGenerator;
import io.idgen.text.IdCodec;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Lets idgen generate the value of an attribute before the insert. An id is set at {@code persist()}, without SQL, so
 * Hibernate can batch inserts. Any other attribute is set at the flush that inserts the entity, unless it already has a
 * value.
 *
 * <pre>{@code
 * @Id @SnowflakeId
 * private Long id;
 * }</pre>
 *
 * <p>These types are supported; any other type fails at boot:
 * <ul>
 *   <li>{@code long}, {@code Long}, {@code BigInteger} and {@code String};
 *   <li>{@code int}, {@code Integer}, {@code short} and {@code Short}, if the source generates no larger ids;
 *   <li>an application class, such as a record, with a constructor that takes one of {@code long}, {@code Long},
 *       {@code BigInteger}, {@code int}, {@code Integer} and {@code String}.
 * </ul>
 *
 * <p>The attribute can be in an entity, an embedded id, an embeddable, or a mapped superclass, generic or not. With an
 * id class, annotate the attribute of the entity. At any place where Hibernate generates no value, the boot is refused.
 *
 * <p>An HQL {@code insert} generates ids, and leaves other annotated attributes null. {@code StatelessSession.upsert}
 * generates nothing, and fails if an annotated attribute is not set.
 *
 * <p>Settings choose how ids are generated: as snowflakes, unless {@code idgen.strategy} says otherwise. Without any
 * setting, a database that is embedded in this process needs nothing more. On any other database, the first id leases
 * the worker id from the table {@code idgen_worker}. If Hibernate creates the schema, it creates idgen's tables too.
 */
@IdGeneratorType(SnowflakeIdGenerator.class)
@ValueGenerationType(generatedBy = SnowflakeValueGenerator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface SnowflakeId {

    /**
     * The name of the source of the values. Set it if tables share one source. If empty, it is the name of the entity's
     * table, such as {@code purchase_order}; for an attribute that is not an id, the table, a dot and the column, such
     * as {@code purchase_order.number}. The name is in lower case and without quotes. It begins with the schema or
     * catalog only if that is not the default one.
     *
     * <p>In a hierarchy, it is the table of the root. An abstract root without a table ({@code TABLE_PER_CLASS}) counts
     * as if it had one: give it a {@code @Table}, or set this attribute, so that the name does not follow that of the
     * class.
     *
     * @return a name, or empty
     */
    String source() default "";

    /**
     * How a {@code String} attribute encodes the value. idgen cannot query the largest id of a text column. If the
     * source is a table, set {@code idgen.sources.<name>.start} to where it begins.
     *
     * @return the codec; its column needs {@link IdCodec#maxLength} characters
     */
    IdCodec codec() default IdCodec.BASE32;

    /**
     * What happens to an id that the application has set itself. An attribute that is not an id always keeps its value.
     *
     * @return whether such an id is refused or kept
     */
    Preset preset() default Preset.REFUSE;

    /** What happens to an id that the application sets on a new entity. 0 and null count as not set. */
    enum Preset {
        /**
         * An entity with an id counts as existing in the database, as Hibernate assumes. {@code persist} refuses it,
         * {@code merge} looks for its row and refuses if there is none, and {@code StatelessSession.insert} refuses it
         * too. In a composite id, only the generated part counts.
         */
        REFUSE,

        /**
         * {@code persist}, {@code merge} and {@code StatelessSession.insert} insert the entity with the id it has. Use
         * it for data that you import, and for ids from {@link EntityIds} in constructors. The price: {@code merge}
         * inserts a row again that someone else has deleted (unless it has a version), and only the database notices if
         * a row is persisted twice.
         */
        KEEP
    }
}
