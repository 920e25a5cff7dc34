package io.idgen.ops;

import io.idgen.jdbc.testing.TestDatabase;
import org.junit.jupiter.api.Tag;

/** On a server, killed at every 25th step. */
@Tag("matrix")
class GrowthOnPostgreSqlTest extends GrowthContract {
    @Override
    TestDatabase kind() {
        return TestDatabase.POSTGRESQL;
    }

    @Override
    int killedAtEach() {
        return 25;
    }
}
