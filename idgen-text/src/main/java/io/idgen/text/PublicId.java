package io.idgen.text;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes an id as {@link PublicIds} encodes it, and reads it back, so that clients see neither how many ids there are
 * nor when they were generated.
 *
 * <pre>{@code
 * record Customer(@PublicId long id, String name) {}           // {"id": "k1_4N8X…", "name": "Dorothea"}
 * Order order(@PathVariable @PublicId("order") long id) { … }  // GET /orders/order_k1_4N8X…
 * }</pre>
 *
 * <p>In JSON, the module {@code IdgenModule} of idgen-jackson (Jackson 3) or idgen-jackson2 (Jackson 2) applies it,
 * with the {@code PublicIds} that you pass to the module. Without that module, the annotation has no effect: a test of
 * your JSON shows that. It applies to attributes of the types {@code long} and {@code Long}, and to arrays,
 * collections, maps and {@code Optional}s of {@code Long}; {@code Long} keys of a map are encoded too. The module
 * refuses it on other attributes.
 *
 * <p>In Spring MVC and WebFlux, idgen-spring-boot applies it to {@code @PathVariable} and {@code @RequestParam} of the
 * type {@code long} or {@code Long}. It uses the bean of the type {@code PublicIds}, and needs no Jackson. Another text
 * gives status 400.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface PublicId {
    /**
     * Names the kind of the id, which the text then begins with, for example {@code order_}: an id of another kind is
     * refused. Without it, the encrypted id of a customer is also a valid id of an order.
     *
     * @return lower-case letters, digits and underscores, as for {@link PublicIds#withPrefix}; no prefix if empty
     */
    String value() default "";
}
