/** Worker ids: the windows of ticks that belong to one, and the protocol that leases it in the background. */
@NullMarked
package io.idgen.core.internal.lease;

import org.jspecify.annotations.NullMarked;
