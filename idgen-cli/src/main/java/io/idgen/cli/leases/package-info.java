/** Access to the worker ids in Redis and ZooKeeper, for {@code idgen doctor} and {@code idgen repair}. */
@NullMarked
package io.idgen.cli.leases;

import org.jspecify.annotations.NullMarked;
