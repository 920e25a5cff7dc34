/** Allocators over database tables and sequences, and worker ids leased from a table. */
@NullMarked
package io.idgen.jdbc;

import org.jspecify.annotations.NullMarked;
