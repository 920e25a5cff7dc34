/** Clocks and waiting that a test can replace, background threads, and the text of settings and messages. */
@NullMarked
package io.idgen.core.internal.time;

import org.jspecify.annotations.NullMarked;
