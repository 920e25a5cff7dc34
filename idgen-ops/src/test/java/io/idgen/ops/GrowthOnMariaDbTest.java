package io.idgen.ops;

import io.idgen.jdbc.testing.TestDatabase;
import org.junit.jupiter.api.Tag;

/** On a server, killed at every tenth step. */
@Tag("matrix")
class GrowthOnMariaDbTest extends GrowthContract {
    @Override
    TestDatabase kind() {
        return TestDatabase.MARIADB;
    }

    @Override
    int killedAtEach() {
        return 10;
    }
}
