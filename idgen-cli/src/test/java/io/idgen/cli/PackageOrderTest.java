package io.idgen.cli;

import io.idgen.core.testing.PackageOrder;
import java.util.List;

/** Checks the dependencies between this module's packages. Add each new package here. */
class PackageOrderTest extends PackageOrder {
    PackageOrderTest() {
        super(
                "io.idgen.cli",
                List.of(
                        "io.idgen.cli.common",
                        "io.idgen.cli.analysis",
                        "io.idgen.cli.doctor",
                        "io.idgen.cli.leases",
                        "io.idgen.cli.compare.result",
                        "io.idgen.cli.compare.database",
                        "io.idgen.cli.compare.contender",
                        "io.idgen.cli.compare.trial",
                        "io.idgen.cli.compare",
                        "io.idgen.cli"));
    }
}
