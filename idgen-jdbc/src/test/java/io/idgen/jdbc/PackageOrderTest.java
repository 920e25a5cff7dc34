package io.idgen.jdbc;

import io.idgen.core.testing.PackageOrder;
import java.util.List;

/** Lists the packages of this module in order. Add new packages here. */
class PackageOrderTest extends PackageOrder {
    PackageOrderTest() {
        super(
                "io.idgen.jdbc",
                List.of(
                        "io.idgen.jdbc.internal.text",
                        "io.idgen.jdbc.dialect",
                        "io.idgen.jdbc.internal.dialect",
                        "io.idgen.jdbc.internal.connection",
                        "io.idgen.jdbc.internal.sql",
                        "io.idgen.jdbc.schema",
                        "io.idgen.jdbc",
                        "io.idgen.jdbc.internal.strategy"));
    }
}
