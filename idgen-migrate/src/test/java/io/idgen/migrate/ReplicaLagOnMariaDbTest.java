package io.idgen.migrate;

import io.idgen.jdbc.testing.CrashPair;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

@Tag("matrix")
class ReplicaLagOnMariaDbTest extends ReplicaLagContract {
    ReplicaLagOnMariaDbTest() throws SQLException {
        super(CrashPair.ofMariaDb());
    }

    @Override
    String filled() {
        return "SELECT count(*) FROM book_idgen";
    }
}
