/** An application with two databases and two persistence units. */
@NullMarked
package io.idgen.spring.boot.units;

import org.jspecify.annotations.NullMarked;
