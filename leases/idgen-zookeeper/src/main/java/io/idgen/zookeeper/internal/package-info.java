/** The lease store that {@code idgen.worker.assigner=zookeeper} opens. */
@NullMarked
package io.idgen.zookeeper.internal;

import org.jspecify.annotations.NullMarked;
