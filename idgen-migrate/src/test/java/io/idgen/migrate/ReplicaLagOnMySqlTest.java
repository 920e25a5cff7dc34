package io.idgen.migrate;

import io.idgen.jdbc.testing.CrashPair;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;

@Tag("mysql")
class ReplicaLagOnMySqlTest extends ReplicaLagContract {
    ReplicaLagOnMySqlTest() throws SQLException {
        super(CrashPair.ofMySql());
    }

    @Override
    String filled() {
        return "SELECT count(*) FROM book_idgen";
    }
}
