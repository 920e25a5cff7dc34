/** Texts in messages: durations, names of settings, and characters that a terminal would obey. */
@NullMarked
package io.idgen.core.internal.text;

import org.jspecify.annotations.NullMarked;
