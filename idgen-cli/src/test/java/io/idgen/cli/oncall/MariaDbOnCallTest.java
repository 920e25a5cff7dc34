package io.idgen.cli.oncall;

import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.FailbackPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import javax.sql.DataSource;

class MariaDbOnCallTest extends ReplicaOnCallContract {
    @Override
    ReplicatedPair startPair(boolean forFailback) throws SQLException {
        return forFailback ? FailbackPair.ofMariaDb() : CrashPair.ofMariaDb();
    }

    @Override
    void createShop(DataSource owner) throws SQLException {
        Sql.execute(owner, "CREATE USER shop IDENTIFIED BY 'shop'");
        Sql.execute(owner, "GRANT PROCESS ON *.* TO shop"); // to name the session that holds a lock
    }

    @Override
    void makeReplicaReadOnly(DataSource replica) throws SQLException {
        Sql.execute(replica, "SET GLOBAL read_only = 1");
    }

    @Override
    String[] identity() {
        return new String[0];
    }

    @Override
    String waits() {
        return "SELECT r.trx_mysql_thread_id AS waits";
    }

    @Override
    String end() {
        return "KILL";
    }

    @Override
    String blocker(String row) {
        return row.replaceFirst("(?s).* \\| (\\d+) \\| [^|]*$", "$1");
    }
}
