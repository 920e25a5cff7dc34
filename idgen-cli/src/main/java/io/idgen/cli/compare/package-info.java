/** {@code idgen compare}: measures every strategy on one database and compares them. */
@NullMarked
package io.idgen.cli.compare;

import org.jspecify.annotations.NullMarked;
