/** Generators that work in memory, idgen's beside its peers'. */
@NullMarked
package io.idgen.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
