package io.idgen.core.text;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes an id in JSON as {@link PublicIds} encodes it, and reads it back, so that clients see neither how many ids
 * there are nor when they were generated.
 *
 * <p>The module {@code IdgenModule} of idgen-jackson (Jackson 3) or idgen-jackson2 (Jackson 2) applies it, with the
 * {@code PublicIds} that you pass to the module. Without that module, the annotation has no effect: a test of your
 * JSON shows that. It applies to attributes of the types {@code long}, {@code Long}, {@code BigInteger} and {@code
 * long[]}, and to arrays, collections, maps and {@code Optional}s of these; {@code Long} keys of a map are encoded too.
 * The module refuses it on other attributes.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface PublicId {}
