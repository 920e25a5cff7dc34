package io.idgen.core;

import io.idgen.core.testing.PackageOrder;
import java.util.List;

/** A new package of this module gets its place here. */
class PackageOrderTest extends PackageOrder {
    PackageOrderTest() {
        super(
                "io.idgen.core",
                List.of(
                        "io.idgen.core.internal.time",
                        "io.idgen.core",
                        "io.idgen.core.layout",
                        "io.idgen.core.lease",
                        "io.idgen.core.internal.lease",
                        "io.idgen.core.snowflake",
                        "io.idgen.core.segment",
                        "io.idgen.core.config"));
    }
}
