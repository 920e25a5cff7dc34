package io.idgen.ops;

import io.idgen.jdbc.testing.TestDatabase;
import org.junit.jupiter.api.Tag;

/** On databases in memory, killed at each step. */
@Tag("matrix")
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
