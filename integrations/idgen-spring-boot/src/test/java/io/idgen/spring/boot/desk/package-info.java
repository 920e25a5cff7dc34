/** An application with Spring MVC. */
@NullMarked
package io.idgen.spring.boot.desk;

import org.jspecify.annotations.NullMarked;
