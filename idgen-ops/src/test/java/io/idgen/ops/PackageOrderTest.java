package io.idgen.ops;

import io.idgen.core.testing.PackageOrder;
import java.util.List;

/** Lists the packages of this module in order. Add new packages here. */
class PackageOrderTest extends PackageOrder {
    PackageOrderTest() {
        super("io.idgen.ops", List.of("io.idgen.ops"));
    }
}
