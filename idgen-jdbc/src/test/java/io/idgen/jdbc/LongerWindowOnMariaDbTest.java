package io.idgen.jdbc;

import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

@Tag("accidents")
class LongerWindowOnMariaDbTest extends LongerWindowContract {
    @Override
    ReplicatedPair start() throws SQLException {
        return CrashPair.ofMariaDb();
    }
}
