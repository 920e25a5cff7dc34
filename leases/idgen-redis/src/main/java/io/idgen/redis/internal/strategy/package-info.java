/** The lease store and the strategies that settings choose by name. The strategies request each id from Redis. */
@NullMarked
package io.idgen.redis.internal.strategy;

import org.jspecify.annotations.NullMarked;
