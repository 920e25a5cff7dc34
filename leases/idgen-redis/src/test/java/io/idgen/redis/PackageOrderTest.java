package io.idgen.redis;

import io.idgen.core.testing.PackageOrder;
import java.util.List;

/** A new package of this module gets its place here. */
class PackageOrderTest extends PackageOrder {
    PackageOrderTest() {
        super("io.idgen.redis", List.of("io.idgen.redis", "io.idgen.redis.internal.strategy"));
    }
}
