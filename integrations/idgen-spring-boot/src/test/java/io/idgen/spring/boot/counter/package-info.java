/** An application with ids in its JSON, and a contract. */
@NullMarked
package io.idgen.spring.boot.counter;

import org.jspecify.annotations.NullMarked;
