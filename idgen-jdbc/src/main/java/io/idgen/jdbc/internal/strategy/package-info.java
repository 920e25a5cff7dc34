/** The strategies that settings choose: each turns the settings of a source into an allocator. */
@NullMarked
package io.idgen.jdbc.internal.strategy;

import org.jspecify.annotations.NullMarked;
