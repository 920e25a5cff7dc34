package io.idgen.jdbc;

import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import javax.sql.DataSource;

class SegmentTableOnH2Test extends SegmentTableContract {

    @Override
    TestDatabase kind() {
        return TestDatabase.H2;
    }

    @Override
    DataSource withDefaultIsolation(int isolation) {
        return Wrapped.dataSource(() -> {
            Connection connection = dataSource().getConnection();
            connection.setTransactionIsolation(isolation);
            return connection;
        });
    }
}
