/** Inserts orders with their lines with Hibernate, to compare {@code @SnowflakeId} with other kinds of ids. */
@NullMarked
package io.idgen.benchmarks.insert;

import org.jspecify.annotations.NullMarked;
