package io.idgen.spring.data;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets the id of a new aggregate of Spring Data JDBC, or a new entity of Spring Data R2DBC, before the insert. The id
 * is of type {@code Long}, {@code long} or {@code String}, or a class with a constructor that takes one of them, such
 * as a record. As a string it is encoded as {@code IdCodec.BASE32}.
 *
 * <pre>{@code
 * class Customer {
 *     @Id @FromIdSource Long id;
 * }
 * }</pre>
 *
 * <p>An aggregate whose id is neither null nor 0 keeps it. The settings of {@code idgen.sources.<name>} apply, or those
 * for all sources. With a strategy over a table, the ids begin above the largest value of the aggregate's column. Only
 * aggregate roots have callbacks in Spring Data. At any other place, such as a part of a composite id or the id of an
 * entity inside an aggregate, the start of the application is refused.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface FromIdSource {
    /**
     * The name of the source. If empty, it is the name of the table in lower case, with its schema only if that is not
     * the default one. Aggregates of one table have one source.
     *
     * @return a name, or empty
     */
    String value() default "";
}
