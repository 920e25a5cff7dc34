/** The lease protocol: acquires, renews and releases a worker id in the background. */
@NullMarked
package io.idgen.core.internal.lease;

import org.jspecify.annotations.NullMarked;
