package io.idgen.jdbc.internal;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import javax.sql.DataSource;

/** A small pool that connects on first use, and keeps no connection that is not used for a while. */
final class HikariPool {
    // the shortest that HikariCP takes
    private static final long LEAST_TIMEOUT_MILLIS = 250;

    private static final String READ_COMMITTED = "TRANSACTION_READ_COMMITTED";
    private static final Duration IDLE = Duration.ofMinutes(1);

    private HikariPool() {}

    /** Whether all connections of a pool have that isolation when it gives them. */
    static boolean isReadCommitted(DataSource dataSource) {
        return dataSource instanceof HikariDataSource pool && READ_COMMITTED.equals(pool.getTransactionIsolation());
    }

    static HikariDataSource of(DataSource connections, Duration timeout) {
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
        pool.setTransactionIsolation(READ_COMMITTED); // once, or it would be set and put back each time
        pool.setPoolName("idgen");
        return pool;
    }
}
