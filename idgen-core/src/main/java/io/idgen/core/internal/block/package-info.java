/** Blocks of consecutive ids that threads take without contention. */
@NullMarked
package io.idgen.core.internal.block;

import org.jspecify.annotations.NullMarked;
