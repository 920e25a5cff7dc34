package io.idgen.jdbc;

import io.idgen.jdbc.testing.TestDatabase;

class SegmentIdSourceOnPostgreSqlTest extends SegmentIdSourceContract {

    @Override
    TestDatabase kind() {
        return TestDatabase.POSTGRESQL;
    }
}
