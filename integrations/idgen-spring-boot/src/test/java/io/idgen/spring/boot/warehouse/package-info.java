/** An application with MyBatis-Plus. */
@NullMarked
package io.idgen.spring.boot.warehouse;

import org.jspecify.annotations.NullMarked;
