package io.idgen.migrate;

import io.idgen.jdbc.internal.sql.SqlName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Migrations on MariaDB and MySQL. */
final class MySql implements MigrationDialect {
    // ER_LOCK_WAIT_TIMEOUT, ER_LOCK_DEADLOCK
    private static final Set<Integer> LOCK_ERRORS = Set.of(1205, 1213);

    private final boolean isMariaDb;

    MySql(boolean isMariaDb) {
        this.isMariaDb = isMariaDb;
    }

    @Override
    public Path widening(Session session, SqlName column) throws SQLException {
        return new MySqlWidening(session, MySqlCatalog.read(session, column), this);
    }

    @Override
    public Path beforeInsert(Session session, SqlName column) throws SQLException {
        return new MySqlBeforeInsert(session, MySqlCatalog.read(session, column));
    }

    /** Reads rows that others cannot change until the end of the statement, without those that others have locked. */
    String skipLocked() {
        return isMariaDb ? " LOCK IN SHARE MODE SKIP LOCKED" : " FOR SHARE SKIP LOCKED";
    }

    @Override
    public String lockTimeout(Duration longest) {
        return "SET SESSION lock_wait_timeout = " + Math.max(1, longest.toSeconds());
    }

    @Override
    public List<String> roundTrips(List<String> sql) {
        return sql;
    }

    @Override
    public Replicas.Positions positions() {
        return isMariaDb
                ? new Replicas.Positions(
                        "SELECT @@global.gtid_binlog_pos",
                        "SELECT MASTER_GTID_WAIT(?, 0) = 0",
                        null,
                        "SELECT @@global.gtid_binlog_pos = ''",
                        "the primary has no position that replicas could reach; set log_bin, or leave --replica out")
                : new Replicas.Positions(
                        "SELECT @@global.gtid_executed",
                        "SELECT GTID_SUBSET(?, @@global.gtid_executed)",
                        null,
                        "SELECT @@global.gtid_executed = ''",
                        "the primary has no position that replicas could reach; set gtid_mode=ON, or leave --replica out");
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return LOCK_ERRORS.contains(e.getErrorCode());
    }
}
