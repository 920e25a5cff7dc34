/** {@code idgen compare}: every strategy on one database, measured side by side. */
@NullMarked
package io.idgen.cli.compare;

import org.jspecify.annotations.NullMarked;
