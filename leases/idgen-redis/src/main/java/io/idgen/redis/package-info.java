/** Worker ids leased from Redis, without SQL: the store, its repair, and the seam to a Redis client. */
@NullMarked
package io.idgen.redis;

import org.jspecify.annotations.NullMarked;
