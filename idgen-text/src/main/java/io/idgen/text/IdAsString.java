package io.idgen.text;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes an id as a string of decimal digits in JSON, and reads it back. JavaScript rounds numbers above
 * 2<sup>53</sup>, so a snowflake that is written as a number reaches a browser as another id.
 *
 * <p>The module {@code IdgenModule} of idgen-jackson (Jackson 3) or idgen-jackson2 (Jackson 2) applies it. Without that
 * module, the annotation has no effect. It applies to attributes of the types {@code long} and {@code Long}, of types
 * with a {@code @JsonValue}, and to arrays, collections, maps and {@code Optional}s of {@code Long} or such types. The
 * module refuses it on other attributes.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface IdAsString {}
