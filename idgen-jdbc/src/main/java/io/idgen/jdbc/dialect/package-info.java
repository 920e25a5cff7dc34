/** The differences between databases: the interface that a dialect implements, and the types that it uses. */
@NullMarked
package io.idgen.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
