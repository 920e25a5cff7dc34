package io.idgen.jdbc;

import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class SqlFunctionsOnMySqlTest extends SqlFunctionsOnMariaDbTest {
    @Override
    ReplicatedPair start() throws SQLException {
        return CrashPair.ofMySql();
    }
}
