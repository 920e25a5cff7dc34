/** The strategies that settings select. Each creates an allocator from the settings of a source. */
@NullMarked
package io.idgen.jdbc.internal.strategy;

import org.jspecify.annotations.NullMarked;
