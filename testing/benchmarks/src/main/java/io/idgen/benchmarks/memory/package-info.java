/** Measures generators that work in memory: idgen's and its peers'. */
@NullMarked
package io.idgen.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
