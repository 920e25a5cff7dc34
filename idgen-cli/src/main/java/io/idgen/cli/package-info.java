/** The {@code idgen} command. */
@NullMarked
package io.idgen.cli;

import org.jspecify.annotations.NullMarked;
