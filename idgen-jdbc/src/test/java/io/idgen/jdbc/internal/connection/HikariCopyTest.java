package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.zaxxer.hikari.HikariDataSource;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HikariCopyTest {
    @Test
    void aCopyOfALargePoolGivesTwoConnectionsAndNoThird() throws SQLException {
        try (Database database = TestDatabase.H2.create();
                HikariDataSource application = new HikariDataSource()) {
            application.setDataSource(database.dataSource());
            application.setMaximumPoolSize(20);
            application.setMinimumIdle(10);
            try (HikariDataSource copy =
                            HikariCopy.of(application, Duration.ofSeconds(30)).orElseThrow();
                    Connection one = copy.getConnection();
                    Connection other = copy.getConnection()) {
                assertThat(one.isValid(5) && other.isValid(5)).isTrue();
                var pool = (com.zaxxer.hikari.pool.HikariPool) copy.getHikariPoolMXBean();
                assertThrows(SQLTransientConnectionException.class, () -> pool.getConnection(250));
            }
        }
    }
}
