/** An application with Spring Data JDBC. */
@NullMarked
package io.idgen.spring.boot.library;

import org.jspecify.annotations.NullMarked;
