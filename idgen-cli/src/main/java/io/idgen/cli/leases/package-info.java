/** Opens the store that options name, for {@code idgen doctor} and {@code idgen repair}. */
@NullMarked
package io.idgen.cli.leases;

import org.jspecify.annotations.NullMarked;
