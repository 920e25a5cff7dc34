package io.idgen.jdbc.internal.connection;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** A small pool that connects on first use, and keeps no connection that is not used for a while. */
final class HikariPool {
    private static final System.Logger LOG = System.getLogger(HikariPool.class.getName());

    // the shortest that HikariCP takes
    private static final long LEAST_TIMEOUT_MILLIS = 250;

    private static final Duration IDLE = Duration.ofMinutes(1);

    private HikariPool() {}

    /** Whether HikariCP restores the isolation of the connections that it is given back. */
    static boolean isOne(DataSource dataSource) {
        return dataSource instanceof HikariDataSource;
    }

    static HikariDataSource of(UrlDataSource connections, Duration timeout) {
        HikariDataSource pool = new HikariDataSource();
        long timeoutMillis = Math.max(LEAST_TIMEOUT_MILLIS, timeout.toMillis());
        pool.setDataSource(connections);
        pool.setMaximumPoolSize(OwnConnections.MOST);
        pool.setMinimumIdle(0);
        pool.setIdleTimeout(IDLE.toMillis());
        // sooner than whoever waits for the pool gives up: it alone knows why there is no connection
        pool.setConnectionTimeout(Math.max(LEAST_TIMEOUT_MILLIS, timeoutMillis * 9 / 10));
        pool.setValidationTimeout(timeoutMillis);
        pool.setInitializationFailTimeout(1); // a wrong password is told at once, not when the timeout has passed
        if (!connections.isReadCommitted()) {
            // once for each connection, or each transaction would set and restore it
            pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        }
        pool.setPoolName("idgen");
        evictBroken(pool, connections);
        return pool;
    }

    /**
     * The pool knows a broken connection by its SQL state, and tests one only if it was unused for half a second. Some drivers
     * have states that do not show it; retries would get the same broken connection again.
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
            LOG.log(System.Logger.Level.DEBUG, "this HikariCP is too old to be told what a broken connection is", e);
        }
    }
}
