package io.idgen.jdbc;

import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

@Tag("accidents")
class LongerWindowOnPostgreSqlTest extends LongerWindowContract {
    @Override
    ReplicatedPair start() throws SQLException {
        return new PostgreSqlPair();
    }
}
