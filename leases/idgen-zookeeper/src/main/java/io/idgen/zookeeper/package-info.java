/** Worker ids leased from an ensemble of ZooKeeper: the store, its doctor and its repair. */
@NullMarked
package io.idgen.zookeeper;

import org.jspecify.annotations.NullMarked;
