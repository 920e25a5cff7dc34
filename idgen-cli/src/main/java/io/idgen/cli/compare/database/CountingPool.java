package io.idgen.cli.compare.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/**
 * A pool with a network below it. The network counts round trips: statements, commits and rollbacks. It delays the
 * answer of each of them. It can be cut: then all connections are closed, and new ones are refused.
 */
public final class CountingPool implements AutoCloseable {
    /** How long a call may wait during an outage: less than the default, so that several calls fail. */
    public static final Duration IN_OUTAGE = Duration.ofMillis(500);

    private static final Set<String> ENDS = Set.of("commit", "rollback");

    /** H2's codes for a connection that {@link #cut} has closed, or that is lost. Its SQL states do not show it. */
    private static final Set<Integer> LOST_IN_H2 = Set.of(90007, 90067, 90098, 90121);

    private final HikariDataSource pool = new HikariDataSource();
    private final Duration delay;
    private final AtomicLong roundTrips = new AtomicLong();
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isCut;

    /**
     * Creates a pool. Opens no connection.
     *
     * @param patience how long a caller waits for a connection
     */
    public CountingPool(UrlDataSource connections, int size, Duration delay, Duration patience) {
        this.delay = delay;
        pool.setDataSource(ProxyDataSourceBuilder.create(network(connections))
                .afterQuery((execution, queries) -> roundTrip())
                .afterMethod(call -> {
                    if (ENDS.contains(call.getMethod().getName())) {
                        roundTrip();
                    }
                })
                .buildProxy());
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(0);
        pool.setIdleTimeout(Duration.ofMinutes(1).toMillis());
        pool.setConnectionTimeout(patience.toMillis());
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        pool.setExceptionOverride(new SQLExceptionOverride() {
            @java.lang.Override
            public Override adjudicate(SQLException e) {
                return LOST_IN_H2.contains(e.getErrorCode()) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
            }
        });
        pool.setPoolName("idgen-compare");
    }

    private DataSource network(UrlDataSource connections) {
        return (DataSource) Proxy.newProxyInstance(
                CountingPool.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? connect(connections)
                        : method.invoke(connections, arguments));
    }

    private Connection connect(UrlDataSource connections) throws SQLException {
        Connection connection = connections.getConnection();
        open.add(connection);
        if (isCut) {
            connection.close();
            throw new SQLException("the comparison has cut the connection to the database", "08001");
        }
        return connection;
    }

    private void roundTrip() {
        roundTrips.incrementAndGet();
        delay();
    }

    /** Waits for the answer of a store as long as the network takes. */
    public void delay() {
        park(delay);
    }

    /** Waits. */
    public static void park(Duration duration) {
        long due = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Starts an outage. */
    public void cut() {
        isCut = true;
        for (Connection connection : open) {
            try {
                connection.abort(Runnable::run);
                connection.close(); // H2 does not abort
            } catch (SQLException e) {
                throw new IllegalStateException("cannot cut a connection", e);
            }
        }
        open.clear();
    }

    /** Ends the outage. */
    public void mend() {
        isCut = false;
    }

    /** Returns whether the network is cut, to Redis as well. */
    public boolean isCut() {
        return isCut;
    }

    /** Returns the pool. */
    public HikariDataSource dataSource() {
        return pool;
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
