/** What the modules for both versions of Jackson share. */
@NullMarked
package io.idgen.text.internal;

import org.jspecify.annotations.NullMarked;
