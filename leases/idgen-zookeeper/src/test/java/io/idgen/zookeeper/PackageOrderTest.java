package io.idgen.zookeeper;

import io.idgen.core.testing.PackageOrder;
import java.util.List;

/** A new package of this module gets its place here. */
class PackageOrderTest extends PackageOrder {
    PackageOrderTest() {
        super("io.idgen.zookeeper", List.of("io.idgen.zookeeper", "io.idgen.zookeeper.internal"));
    }
}
