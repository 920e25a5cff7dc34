/** Measuring code that {@code idgen compare} and the benchmarks share: rounds, intervals, threads, and the machine's load. */
@NullMarked
package io.idgen.cli.measure;

import org.jspecify.annotations.NullMarked;
