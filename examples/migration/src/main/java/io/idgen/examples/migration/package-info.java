/** Orders with INT ids move to snowflakes, and back, while old and new versions of the application insert. */
@NullMarked
package io.idgen.examples.migration;

import org.jspecify.annotations.NullMarked;
