/** The arithmetic of ticks, and the clocks and waiting that a test can replace. */
@NullMarked
package io.idgen.core.internal.time;

import org.jspecify.annotations.NullMarked;
