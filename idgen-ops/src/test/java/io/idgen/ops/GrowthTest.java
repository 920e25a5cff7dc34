package io.idgen.ops;

import io.idgen.jdbc.testing.TestDatabase;

/** On databases in memory, killed at each step. */
class GrowthTest extends GrowthContract {
    @Override
    TestDatabase kind() {
        return TestDatabase.H2;
    }

    @Override
    int killedAtEach() {
        return 1;
    }
}
