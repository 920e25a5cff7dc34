/**
 * Orders with their lines through Hibernate into a database: what {@code @SnowflakeId} costs there beside the other ways to
 * have an id.
 */
@NullMarked
package io.idgen.benchmarks.insert;

import org.jspecify.annotations.NullMarked;
