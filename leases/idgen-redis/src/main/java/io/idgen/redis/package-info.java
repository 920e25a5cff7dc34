/**
 * Worker ids leased from Redis, without SQL: the store, its doctor, its repair, and the interface for Redis clients.
 */
@NullMarked
package io.idgen.redis;

import org.jspecify.annotations.NullMarked;
