package io.idgen.migrate;

import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/** Migrations on PostgreSQL 14 and newer. */
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

    @Override
    public boolean isLockTimeout(SQLException e) {
        return LOCK_STATES.contains(String.valueOf(e.getSQLState()));
    }
}
