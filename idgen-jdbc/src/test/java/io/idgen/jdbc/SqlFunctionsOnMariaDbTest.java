package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("matrix")
class SqlFunctionsOnMariaDbTest extends SqlFunctionsContract {
    @Override
    ReplicatedPair start() throws SQLException {
        return CrashPair.ofMariaDb();
    }

    @Override
    void prepare(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            Sql.execute(connection, "SET GLOBAL log_bin_trust_function_creators = 1");
        }
    }

    @Override
    List<String> statements(String script) {
        return split(script);
    }

    /** Splits as the client does. */
    static List<String> split(String script) {
        return Stream.of(script.replaceAll("(?m)^DELIMITER .*$|^--.*$", "").split("//"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    /** The grant is that of PostgreSQL. */
    @Override
    List<String> statementsOfThePage() throws Exception {
        return super.statementsOfThePage().stream()
                .filter(statement -> !statement.startsWith("GRANT"))
                .toList();
    }

    @Override
    List<String> clerk() {
        return List.of(
                "CREATE USER clerk@'%' IDENTIFIED BY 'clerk-secret'",
                "GRANT EXECUTE ON FUNCTION idgen_next TO clerk@'%'");
    }

    @Test
    void aServerThatLogsStatementsIsRefused() throws SQLException {
        prepare(servers.url()); // a server that was promoted
        try (Connection connection = DriverManager.getConnection(servers.url())) {
            Sql.execute(connection, "SET SESSION binlog_format = 'STATEMENT'");

            assertThatThrownBy(() -> Sql.rows(connection, "SELECT idgen_next('orders')"))
                    .hasMessageContaining("IDGEN-407");
        }
    }
}
