/** Writes orders with their lines from CSV files into a database. All ids are known before the first SQL statement. */
@NullMarked
package io.idgen.examples.orders;

import org.jspecify.annotations.NullMarked;
