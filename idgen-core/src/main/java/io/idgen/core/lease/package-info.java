/** The store of worker id leases: the interface that a store implements. */
@NullMarked
package io.idgen.core.lease;

import org.jspecify.annotations.NullMarked;
