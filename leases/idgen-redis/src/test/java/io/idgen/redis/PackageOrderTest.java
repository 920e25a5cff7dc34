package io.idgen.redis;

import io.idgen.core.testing.PackageOrder;
import java.util.List;

/** Checks the dependencies between this module's packages. Add each new package here. */
class PackageOrderTest extends PackageOrder {
    PackageOrderTest() {
        super("io.idgen.redis", List.of("io.idgen.redis", "io.idgen.redis.internal"));
    }
}
