package io.idgen.proof.scale;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.RestartableServer;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** A server of PostgreSQL or MySQL with idgen's tables and a pool of connections. Another connection watches it. */
final class SqlServer implements Server {
    private static final String POSTGRESQL_COUNTERS = """
            SELECT 'transactions', xact_commit FROM pg_stat_database WHERE datname = current_database()
            UNION ALL SELECT 'rows updated', n_tup_upd FROM pg_stat_user_tables WHERE relname = 'idgen_worker'
            UNION ALL SELECT 'rows updated in their page (HOT)', n_tup_hot_upd FROM pg_stat_user_tables
                WHERE relname = 'idgen_worker'
            UNION ALL SELECT 'runs of autovacuum', autovacuum_count FROM pg_stat_user_tables
                WHERE relname = 'idgen_worker'
            UNION ALL SELECT 'deadlocks', deadlocks FROM pg_stat_database WHERE datname = current_database()
            UNION ALL SELECT 'bytes of WAL', (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint""";

    private static final String POSTGRESQL_GAUGES = """
            SELECT 'dead rows', n_dead_tup FROM pg_stat_user_tables WHERE relname = 'idgen_worker'
            UNION ALL SELECT 'bytes of the table', pg_relation_size('idgen_worker')
            UNION ALL SELECT 'bytes of its indexes', pg_indexes_size('idgen_worker')
            UNION ALL SELECT 'sessions at work', count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()
            UNION ALL SELECT 'sessions that wait for a lock', count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'""";

    private static final String MYSQL_COUNTERS = """
            SELECT CASE variable_name WHEN 'Questions' THEN 'statements, with the driver''s own'
                WHEN 'Innodb_rows_updated' THEN 'rows updated'
                WHEN 'Innodb_row_lock_waits' THEN 'waits for the lock of a row'
                WHEN 'Innodb_row_lock_time' THEN 'waits for the lock of a row, ms in all'
                ELSE 'bytes of redo log' END, variable_value
            FROM performance_schema.global_status WHERE variable_name IN ('Questions', 'Innodb_rows_updated',
                'Innodb_row_lock_waits', 'Innodb_row_lock_time', 'Innodb_os_log_written')
            UNION ALL SELECT 'deadlocks', count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'""";

    private static final String MYSQL_GAUGES = """
            SELECT 'history list length', count FROM information_schema.innodb_metrics
                WHERE name = 'trx_rseg_history_len'
            UNION ALL SELECT 'bytes of the table and its index', file_size FROM information_schema.innodb_tablespaces
                WHERE name = 'idgen/idgen_worker'
            UNION ALL SELECT CASE variable_name WHEN 'Threads_running' THEN 'sessions at work'
                ELSE 'sessions that wait for a lock' END, variable_value FROM performance_schema.global_status
                WHERE variable_name IN ('Threads_running', 'Innodb_row_lock_current_waits')""";

    private final RestartableServer server;
    private final HikariDataSource pool;
    private final Semaphore free;
    private final Connection watch;
    private final String counters;
    private final String gauges;

    private SqlServer(RestartableServer server, int connections, String counters, String gauges) throws SQLException {
        this.server = server;
        this.counters = counters;
        this.gauges = gauges;
        new IdgenSchema(server.dataSource()).create();
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(connections);
        free = new Semaphore(connections, true);
        pool = new HikariDataSource(config);
        watch = server.dataSource().getConnection();
    }

    static SqlServer postgreSql(int connections) throws SQLException {
        return new SqlServer(RestartableServer.postgreSql(), connections, POSTGRESQL_COUNTERS, POSTGRESQL_GAUGES);
    }

    static SqlServer mySql(int connections) throws SQLException {
        return new SqlServer(RestartableServer.mySql(), connections, MYSQL_COUNTERS, MYSQL_GAUGES);
    }

    @Override
    public String version() throws SQLException {
        String version = watch.getMetaData().getDatabaseProductVersion();
        return watch.getMetaData().getDatabaseProductName() + " " + version.split("[ (-]", 2)[0];
    }

    /** Waits for a connection before each call: a process has its own, so its timeout must not pass in this queue. */
    @Override
    public LeaseStore leases() {
        return Wrapped.wrap(LeaseStore.class, new JdbcWorkerIds(pool), call -> {
            free.acquireUninterruptibly();
            try {
                return call.proceed();
            } finally {
                free.release();
            }
        });
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("idgen.jdbc.url", server.url());
    }

    @Override
    public long pid() {
        return server.pid();
    }

    @Override
    public Map<String, Long> counters() throws SQLException {
        return read(counters);
    }

    @Override
    public Map<String, Long> gauges() throws SQLException {
        return read(gauges);
    }

    private Map<String, Long> read(String query) throws SQLException {
        Map<String, Long> figures = new LinkedHashMap<>();
        synchronized (watch) {
            try (Statement statement = watch.createStatement();
                    ResultSet row = statement.executeQuery(query)) {
                while (row.next()) {
                    figures.put(row.getString(1), row.getLong(2));
                }
            }
        }
        return figures;
    }

    @Override
    public void close() {
        pool.close();
        server.close();
    }
}
