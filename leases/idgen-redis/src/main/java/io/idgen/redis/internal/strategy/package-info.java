/** What settings choose by name: leases from Redis, and ids that Redis makes for each request. */
@NullMarked
package io.idgen.redis.internal.strategy;

import org.jspecify.annotations.NullMarked;
