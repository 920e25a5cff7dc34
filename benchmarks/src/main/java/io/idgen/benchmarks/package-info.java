/** The program that measures: one command for each table, and what all tables share. */
@NullMarked
package io.idgen.benchmarks;

import org.jspecify.annotations.NullMarked;
