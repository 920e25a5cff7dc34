/** Allocators over database tables, each with its DDL, on connections and in transactions of their own. */
@NullMarked
package io.idgen.jdbc;

import org.jspecify.annotations.NullMarked;
