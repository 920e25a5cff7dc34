package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.jdbc.testing.RestartableServer;
import io.idgen.jdbc.testing.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@Tag("matrix")
class RestartableServerTest {

    @Test
    void postgreSqlKeepsItsDataAndItsPlace() throws SQLException {
        keepsItsDataAndItsPlace(RestartableServer::postgreSql);
    }

    @Test
    void mariaDbKeepsItsDataAndItsPlace() throws SQLException {
        keepsItsDataAndItsPlace(RestartableServer::mariaDb);
    }

    @Test
    void postgreSqlWritesEachCommitToDisk() throws SQLException {
        try (RestartableServer server = RestartableServer.postgreSql()) {
            assertThat(Sql.rows(server.dataSource(), "SHOW fsync")).containsExactly("on");
            assertThat(Sql.rows(server.dataSource(), "SHOW synchronous_commit")).containsExactly("on");
        }
    }

    private static void keepsItsDataAndItsPlace(Supplier<RestartableServer> kind) throws SQLException {
        try (RestartableServer server = kind.get();
                Connection first = server.dataSource().getConnection()) {
            String url = server.url();
            Sql.execute(server.dataSource(), "CREATE TABLE t (id INT)");
            Sql.execute(server.dataSource(), "INSERT INTO t VALUES (1)");

            server.stop();
            assertThat(first.isValid(5)).isFalse();
            assertThrows(
                    SQLException.class, () -> DriverManager.getConnection(url).close());
            server.start();
            Sql.execute(server.dataSource(), "INSERT INTO t VALUES (2)");

            try (Connection second = server.dataSource().getConnection()) {
                server.kill();
                assertThat(second.isValid(5)).isFalse();
                assertThrows(
                        SQLException.class,
                        () -> DriverManager.getConnection(url).close());
            }
            server.start();

            assertThat(server.url()).isEqualTo(url);
            assertThat(Sql.rows(server.dataSource(), "SELECT id FROM t ORDER BY id"))
                    .containsExactly("1", "2");
        }
    }
}
