package io.idgen.migrate;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.migrate.PostgreSqlCatalog.Table;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What every migration on PostgreSQL needs: the server, the rights, and no long transaction. */
record PostgreSqlChecks(Session session, PostgreSqlCatalog catalog) {
    private static final int OLDEST = 14;

    List<Finding> findings() throws SQLException {
        List<Finding> findings = new ArrayList<>();
        long version = session.number("SELECT current_setting('server_version_num')::int / 10000");
        boolean isStandby = session.isTrue("SELECT pg_is_in_recovery()");
        findings.add(new Finding(
                version < OLDEST || isStandby ? Level.WRONG : Level.OK,
                "server",
                "PostgreSQL " + version + (isStandby ? " is a standby; connect to the primary" : " is a primary")
                        + (version < OLDEST ? "; a migration needs " + OLDEST + " or newer" : "")));
        for (Table table : catalog.tables()) {
            findings.add(new Finding(
                    table.isOwned() ? Level.OK : Level.WRONG,
                    "tables",
                    table.name() + " has about " + table.rows() + " rows and " + table.bytes() / 1_048_576 + " MB"
                            + (table.isOwned() ? "" : "; log in as its owner, because only this user can alter it")));
        }
        List<String> old = session.query(
                row -> row.getString(1),
                "SELECT 'session ' || pid || ' of ' || coalesce(usename, '?') || ' has had a transaction open for '"
                        + " || extract(epoch FROM now() - xact_start)::int || ' s' FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                        + " AND xact_start < now() - interval '1 min' ORDER BY xact_start");
        old.forEach(each -> findings.add(new Finding(
                Level.WARN, "transactions", each + "; steps that need a lock or build an index wait for its end")));
        return findings;
    }
}
