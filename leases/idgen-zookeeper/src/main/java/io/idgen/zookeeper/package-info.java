/** Worker ids leased from an ensemble of ZooKeeper, and what operators examine and repair there. */
@NullMarked
package io.idgen.zookeeper;

import org.jspecify.annotations.NullMarked;
