package io.idgen.zookeeper;

import io.idgen.core.testing.PackageOrder;
import java.util.List;

/** Checks the dependencies between this module's packages. Add each new package here. */
class PackageOrderTest extends PackageOrder {
    PackageOrderTest() {
        super("io.idgen.zookeeper", List.of("io.idgen.zookeeper", "io.idgen.zookeeper.internal"));
    }
}
