/** The contract: {@link IdSource}, its exceptions and error codes, and the events of a source. */
@NullMarked
package io.idgen.core;

import org.jspecify.annotations.NullMarked;
