/** An application that is processed ahead of time. */
@NullMarked
package io.idgen.spring.boot.processed;

import org.jspecify.annotations.NullMarked;
