package io.idgen.cli.oncall;

import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import io.idgen.jdbc.testing.Sql;
import java.sql.SQLException;
import javax.sql.DataSource;

class PostgreSqlOnCallTest extends ReplicaOnCallContract {
    @Override
    ReplicatedPair startPair(boolean forFailback) throws SQLException {
        return new PostgreSqlPair();
    }

    @Override
    void createShop(DataSource owner) throws SQLException {
        Sql.execute(owner, "CREATE ROLE shop LOGIN PASSWORD 'shop'");
    }

    @Override
    void makeReplicaReadOnly(DataSource replica) {
        // a standby is
    }

    /** PostgreSQL identifies itself by its timeline, which never comes back. */
    @Override
    String[] identity() {
        return new String[] {"idgen.jdbc.server-identity=db-1"};
    }

    @Override
    String waits() {
        return "SELECT waiting.pid";
    }

    @Override
    String end() {
        return "SELECT pg_terminate_backend";
    }

    @Override
    String blocker(String row) {
        return row.replaceFirst(".*\\{(\\d+).*", "$1");
    }
}
