/** What {@code IdSources} finds as a service. */
@NullMarked
package io.idgen.redis.internal;

import org.jspecify.annotations.NullMarked;
