/** Helpers that the contracts share. Not exported. */
@NullMarked
package io.idgen.test.internal;

import org.jspecify.annotations.NullMarked;
