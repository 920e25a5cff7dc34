/** The contract of idgen: {@link IdSource}, its exceptions and error codes, and its events. */
@NullMarked
package io.idgen.core;

import org.jspecify.annotations.NullMarked;
