/** The dialects of idgen, and the lookup of a connection's dialect. */
@NullMarked
package io.idgen.jdbc.internal.dialect;

import org.jspecify.annotations.NullMarked;
