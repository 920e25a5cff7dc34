/** The worker ids in Redis and ZooKeeper, as {@code idgen doctor} and {@code idgen repair} reach them. */
@NullMarked
package io.idgen.cli.leases;

import org.jspecify.annotations.NullMarked;
