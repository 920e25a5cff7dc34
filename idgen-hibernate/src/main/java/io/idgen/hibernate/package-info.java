/** {@link io.idgen.hibernate.SnowflakeId} for entities: ids at {@code persist()}, before any SQL. */
@NullMarked
package io.idgen.hibernate;

import org.jspecify.annotations.NullMarked;
