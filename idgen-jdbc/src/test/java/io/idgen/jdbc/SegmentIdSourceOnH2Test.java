package io.idgen.jdbc;

import io.idgen.jdbc.testing.TestDatabase;

class SegmentIdSourceOnH2Test extends SegmentIdSourceContract {

    @Override
    TestDatabase kind() {
        return TestDatabase.H2;
    }
}
