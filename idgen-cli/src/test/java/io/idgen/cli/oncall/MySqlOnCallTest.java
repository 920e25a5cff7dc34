package io.idgen.cli.oncall;

import io.idgen.jdbc.testing.FailbackPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

/** the same on MySQL. Its driver is on the class path, as a user of the tool adds it. */
@Tag("nightly")
class MySqlOnCallTest extends MariaDbOnCallTest {
    @Override
    ReplicatedPair startPair(boolean forFailback) throws SQLException {
        return FailbackPair.ofMySql();
    }

    @Override
    void createShop(DataSource owner) throws SQLException {
        super.createShop(owner);
        Sql.execute(owner, "GRANT SELECT, EXECUTE ON sys.* TO shop");
        Sql.execute(owner, "GRANT SELECT ON performance_schema.* TO shop");
    }

    @Override
    String waits() {
        return "SELECT waiting_pid";
    }
}
