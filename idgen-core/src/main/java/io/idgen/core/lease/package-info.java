/** Where leases of worker ids are kept: the interface that a store implements, and its contract. */
@NullMarked
package io.idgen.core.lease;

import org.jspecify.annotations.NullMarked;
