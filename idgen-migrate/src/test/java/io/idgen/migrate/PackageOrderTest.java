package io.idgen.migrate;

import io.idgen.core.testing.PackageOrder;
import java.util.List;

/** Lists the packages of this module in order. Add new packages here. */
class PackageOrderTest extends PackageOrder {
    PackageOrderTest() {
        super("io.idgen.migrate", List.of("io.idgen.migrate"));
    }
}
