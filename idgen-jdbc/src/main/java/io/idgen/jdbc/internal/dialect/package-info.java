/** The dialects that idgen brings, and how the one of a connection is found. */
@NullMarked
package io.idgen.jdbc.internal.dialect;

import org.jspecify.annotations.NullMarked;
