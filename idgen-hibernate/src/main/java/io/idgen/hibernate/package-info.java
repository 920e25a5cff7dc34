/** {@link io.idgen.hibernate.SnowflakeId}: ids for entities at {@code persist()}, before any SQL. */
@NullMarked
package io.idgen.hibernate;

import org.jspecify.annotations.NullMarked;
