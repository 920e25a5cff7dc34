package io.idgen.migrate;

import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/** Migrations on MariaDB and MySQL. */
final class MySql implements MigrationDialect {
    // ER_LOCK_WAIT_TIMEOUT, ER_LOCK_DEADLOCK
    private static final Set<Integer> LOCK_ERRORS = Set.of(1205, 1213);

    @Override
    public Path widening(Session session, SqlName column) {
        throw new IllegalArgumentException(
                "MariaDB and MySQL change the type of a column only while writers wait, and swap no foreign keys in"
                        + " one transaction; idgen migrate --to bigint knows PostgreSQL, and docs/adopting.md has the"
                        + " statements for " + column);
    }

    @Override
    public Path beforeInsert(Session session, SqlName column) throws SQLException {
        return new MySqlBeforeInsert(session, column);
    }

    @Override
    public String lockTimeout(Duration longest) {
        return "SET SESSION lock_wait_timeout = " + Math.max(1, longest.toSeconds());
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return LOCK_ERRORS.contains(e.getErrorCode());
    }
}
