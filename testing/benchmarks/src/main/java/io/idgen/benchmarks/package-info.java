/** The benchmark program: a command for each table, and their common code. */
@NullMarked
package io.idgen.benchmarks;

import org.jspecify.annotations.NullMarked;
