package io.idgen.jdbc.internal.connection;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.idgen.jdbc.internal.dialect.JdbcUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Creates small HikariCP pools that connect on first use and close idle connections after a minute. */
final class HikariPool {

    // the minimum that HikariCP accepts
    private static final long LEAST_TIMEOUT_MILLIS = 250;

    private static final Duration IDLE = Duration.ofMinutes(1);

    private HikariPool() {}

    /** Returns the name and the address of a pool of HikariCP; empty for any other data source. */
    static Optional<String> nameOf(DataSource dataSource) {
        if (!(dataSource instanceof HikariDataSource pool)) {
            return Optional.empty();
        }
        String url = pool.getJdbcUrl();
        return Optional.of("the HikariCP pool" + (pool.getPoolName() == null ? "" : " " + pool.getPoolName())
                + (url == null ? "" : " of connections to " + new JdbcUrl(url)));
    }

    /** Evicts a connection if it is one of a HikariCP pool, which then logs no failure of it. Returns whether it is. */
    static boolean evicts(DataSource dataSource, Connection connection) {
        boolean isPooled = dataSource instanceof HikariDataSource
                && connection.getClass().getName().startsWith("com.zaxxer.hikari.");
        if (isPooled) {
            ((HikariDataSource) dataSource).evictConnection(connection);
        }
        return isPooled;
    }

    static HikariDataSource of(UrlDataSource connections, Duration timeout) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(connections);
        pool.setMaximumPoolSize(OwnConnections.MOST);
        pool.setMinimumIdle(0);
        pool.setIdleTimeout(IDLE.toMillis());
        pool.setValidationTimeout(Math.max(LEAST_TIMEOUT_MILLIS, timeout.toMillis()));
        tellFailures(pool, timeout);
        if (!connections.isReadCommitted()) {
            // once per connection; otherwise each transaction would set and restore it
            pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        }
        pool.setPoolName("idgen");
        evictBroken(pool, connections);
        return pool;
    }

    /** Makes the pool report its own exceptions, which have the cause, before the timeout of its callers. */
    static void tellFailures(HikariDataSource pool, Duration timeout) {
        pool.setConnectionTimeout(Math.max(LEAST_TIMEOUT_MILLIS, timeout.toMillis() * 9 / 10));
        pool.setInitializationFailTimeout(1); // reports a wrong password at once, not after the timeout
    }

    /**
     * Makes the pool evict broken connections. The pool recognises them by their SQL state, which some drivers do not
     * set correctly, and validates only connections that were idle for half a second. Without this, retries get the
     * same broken connection again.
     */
    private static void evictBroken(HikariDataSource pool, UrlDataSource connections) {
        try {
            pool.setExceptionOverride(new SQLExceptionOverride() {
                @java.lang.Override
                public Override adjudicate(SQLException e) {
                    return connections.isBroken(e) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
                }
            });
        } catch (NoSuchMethodError e) {
            System.getLogger(HikariPool.class.getName())
                    .log(System.Logger.Level.DEBUG, "this version of HikariCP has no SQLExceptionOverride", e);
        }
    }
}
