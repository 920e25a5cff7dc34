package io.idgen.migrate;

import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Migrations on PostgreSQL. They need version 14 or newer; the tests run on 18.6. */
final class PostgreSql implements MigrationDialect {
    // lock_not_available, deadlock_detected
    private static final Set<String> LOCK_STATES = Set.of("55P03", "40P01");

    @Override
    public Path widening(Session session, SqlName column) throws SQLException {
        return new PostgreSqlWidening(session, PostgreSqlCatalogReader.read(session, column));
    }

    @Override
    public Path beforeInsert(Session session, SqlName column) throws SQLException {
        return new PostgreSqlBeforeInsert(session, PostgreSqlCatalogReader.read(session, column));
    }

    @Override
    public String lockTimeout(Duration longest) {
        return "SET LOCAL lock_timeout = " + longest.toMillis();
    }

    /** Those that lock tables come first; all others are one. */
    @Override
    public List<String> roundTrips(List<String> sql) {
        int locks = (int)
                sql.stream().takeWhile(each -> each.startsWith("LOCK TABLE ")).count();
        List<String> sent = new ArrayList<>(sql.subList(0, locks));
        sent.add(String.join(";\n", sql.subList(locks, sql.size())));
        return sent;
    }

    @Override
    public Replicas.Positions positions() {
        return new Replicas.Positions(
                "SELECT pg_current_wal_lsn()::text",
                "SELECT coalesce(pg_last_wal_replay_lsn() >= ?::pg_lsn, false)",
                "SELECT coalesce(bool_and(replay_lsn >= ?::pg_lsn), true) FROM pg_stat_replication"
                        + " WHERE state IN ('streaming', 'catchup')",
                "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE state IS NULL)",
                "this user cannot see how far the replicas are behind; GRANT pg_monitor to it, name them with"
                        + " --replica, or set --max-lag 0s");
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return LOCK_STATES.contains(String.valueOf(e.getSQLState()));
    }
}
