/** Ids for code that must not block its thread. */
@NullMarked
package io.idgen.core.async;

import org.jspecify.annotations.NullMarked;
