/** Measures what idgen adds to the start and the end of an application. */
@NullMarked
package io.idgen.benchmarks.start;

import org.jspecify.annotations.NullMarked;
