/** Windows of ticks that belong to one generator: how threads claim ids from them, and wait for the next tick. */
@NullMarked
package io.idgen.core.internal.window;

import org.jspecify.annotations.NullMarked;
