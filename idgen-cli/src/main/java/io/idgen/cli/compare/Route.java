package io.idgen.cli.compare;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import net.ttddyy.dsproxy.listener.MethodExecutionListener;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/**
 * A way to the database: a pool whose statements, commits and rollbacks are counted beneath it, so that whatever is said to
 * the server counts and what the pool keeps to itself does not.
 */
final class Route implements AutoCloseable {
    private static final long PATIENCE_MILLIS = 5_000;

    private final AtomicLong roundTrips = new AtomicLong();
    private final HikariDataSource pool = new HikariDataSource();
    private final String tablePrefix;
    private final Map<String, String> settings;

    /** A pool to a database, empty until it is asked. */
    Route(UrlDataSource connections, int size, String tablePrefix, Map<String, String> settings) {
        this.tablePrefix = tablePrefix;
        this.settings = Map.copyOf(settings);
        pool.setDataSource(ProxyDataSourceBuilder.create(connections)
                .afterQuery((execution, queries) -> roundTrips.incrementAndGet())
                .methodListener(new EndsOfTransactions())
                .buildProxy());
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(0);
        pool.setIdleTimeout(Duration.ofMinutes(1).toMillis());
        pool.setConnectionTimeout(PATIENCE_MILLIS);
        pool.setInitializationFailTimeout(1); // a wrong password is told at once
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        // some drivers have SQL states by which the pool does not see a broken connection
        pool.setExceptionOverride(new SQLExceptionOverride() {
            @java.lang.Override
            public Override adjudicate(SQLException e) {
                return connections.isBroken(e) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
            }
        });
        pool.setPoolName("idgen-compare");
    }

    private final class EndsOfTransactions implements MethodExecutionListener {
        @Override
        public void beforeMethod(MethodExecutionContext call) {}

        @Override
        public void afterMethod(MethodExecutionContext call) {
            String method = call.getMethod().getName();
            if (method.equals("commit") || method.equals("rollback")) {
                roundTrips.incrementAndGet();
            }
        }
    }

    /** Where connections come from. */
    HikariDataSource dataSource() {
        return pool;
    }

    /** What the names of all tables here begin with. */
    String tablePrefix() {
        return tablePrefix;
    }

    /** The user's settings for idgen's sources, and those of the occasion. */
    Map<String, String> settings() {
        return settings;
    }

    /** How often the database was spoken to so far. */
    long roundTrips() {
        return roundTrips.get();
    }

    @Override
    public void close() {
        pool.close();
    }
}
