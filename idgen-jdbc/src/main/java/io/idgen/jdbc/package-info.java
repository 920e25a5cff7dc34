/** Allocators over database tables and sequences, and leases of worker ids in a table. */
@NullMarked
package io.idgen.jdbc;

import org.jspecify.annotations.NullMarked;
