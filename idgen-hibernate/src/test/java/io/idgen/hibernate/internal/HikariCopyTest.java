package io.idgen.hibernate.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.zaxxer.hikari.HikariDataSource;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;

class HikariCopyTest {
    // the shortest that HikariCP takes
    private static final long LEAST_TIMEOUT_MILLIS = 250;

    @Test
    void aCopyOfALargePoolGivesTwoConnectionsAndNoThird() throws SQLException {
        try (Database database = TestDatabase.H2.create();
                HikariDataSource application = new HikariDataSource()) {
            application.setDataSource(database.dataSource());
            application.setMaximumPoolSize(20);
            application.setMinimumIdle(10);
            application.setConnectionTimeout(LEAST_TIMEOUT_MILLIS);
            try (HikariDataSource copy = HikariCopy.of(application).orElseThrow();
                    Connection one = copy.getConnection();
                    Connection other = copy.getConnection()) {
                assertThat(one.isValid(5) && other.isValid(5)).isTrue();
                assertThrows(SQLTransientConnectionException.class, copy::getConnection);
            }
        }
    }
}
