/** Orders with their lines from CSV into a database, with every id known before the first SQL statement. */
@NullMarked
package io.idgen.examples.orders;

import org.jspecify.annotations.NullMarked;
