/** The lease store that settings choose by name. */
@NullMarked
package io.idgen.redis.internal.strategy;

import org.jspecify.annotations.NullMarked;
