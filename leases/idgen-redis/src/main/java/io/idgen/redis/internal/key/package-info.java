/** The rules for the keys of Redis. */
@NullMarked
package io.idgen.redis.internal.key;

import org.jspecify.annotations.NullMarked;
