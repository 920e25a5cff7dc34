/** Measuring code that {@code idgen compare} and the benchmarks share: rounds, intervals, threads, checks, and load. */
@NullMarked
package io.idgen.cli.measure;

import org.jspecify.annotations.NullMarked;
