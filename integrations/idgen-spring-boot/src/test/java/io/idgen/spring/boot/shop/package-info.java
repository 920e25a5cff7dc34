/** An application as users write it. */
@NullMarked
package io.idgen.spring.boot.shop;

import org.jspecify.annotations.NullMarked;
