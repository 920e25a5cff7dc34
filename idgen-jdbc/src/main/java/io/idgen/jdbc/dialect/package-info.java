/** What differs between databases: the interface that a dialect implements, and what it works on. */
@NullMarked
package io.idgen.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
