package io.idgen.cli.compare.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/**
 * A pool to the database that counts round trips. It counts statements, commits and rollbacks below the pool. So it
 * counts only those that are sent to the server.
 */
public final class CountingPool implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 5_000;

    private final AtomicLong roundTrips = new AtomicLong();
    private final HikariDataSource pool = new HikariDataSource();
    private final String tablePrefix;
    private final Map<String, String> settings;

    /** Creates a pool. Opens no connection. */
    public CountingPool(UrlDataSource connections, int size, String tablePrefix, Map<String, String> settings) {
        this.tablePrefix = tablePrefix;
        this.settings = Map.copyOf(settings);
        pool.setDataSource(ProxyDataSourceBuilder.create(connections)
                .afterQuery((execution, queries) -> roundTrips.incrementAndGet())
                .afterMethod(call -> countEnd(call.getMethod().getName()))
                .buildProxy());
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(0);
        pool.setIdleTimeout(Duration.ofMinutes(1).toMillis());
        pool.setConnectionTimeout(PATIENCE_MILLIS);
        pool.setInitializationFailTimeout(1); // reports a wrong password at once
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        // some drivers have SQL states from which HikariCP does not recognise a broken connection
        pool.setExceptionOverride(new SQLExceptionOverride() {
            @java.lang.Override
            public Override adjudicate(SQLException e) {
                return connections.isBroken(e) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
            }
        });
        pool.setPoolName("idgen-compare");
    }

    /** Commits and rollbacks cost a round trip too. */
    private void countEnd(String method) {
        if (method.equals("commit") || method.equals("rollback")) {
            roundTrips.incrementAndGet();
        }
    }

    /** Returns the pool. */
    public HikariDataSource dataSource() {
        return pool;
    }

    /** Returns the prefix of all table names. */
    public String tablePrefix() {
        return tablePrefix;
    }

    /** Returns the settings for idgen's sources: the user's, and those of this measurement. */
    public Map<String, String> settings() {
        return settings;
    }

    /**
     * Opens all connections, so that the short limit does not end the first calls. Call this before the pool is used:
     * HikariCP takes over a new limit only when the pool starts and then every 30 s.
     *
     * @param waiting how long a call waits for a connection
     * @param atMost how long to wait until all connections are open
     */
    public void openAll(Duration waiting, Duration atMost) {
        pool.setConnectionTimeout(waiting.toMillis());
        pool.setMinimumIdle(pool.getMaximumPoolSize());
        try {
            pool.getConnection().close(); // starts the pool
        } catch (SQLException e) {
            throw new IllegalStateException("cannot connect to the database: " + e.getMessage(), e);
        }
        HikariPoolMXBean state = pool.getHikariPoolMXBean();
        long deadline = System.nanoTime() + atMost.toNanos();
        while (state.getTotalConnections() < pool.getMaximumPoolSize() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        pool.setMinimumIdle(0);
    }

    /** Returns the number of round trips so far. */
    public long roundTrips() {
        return roundTrips.get();
    }

    @Override
    public void close() {
        pool.close();
    }
}
