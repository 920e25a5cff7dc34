package io.idgen.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * The application's own data source. Its threads may hold all its connections while they wait for ids, and idgen needs
 * one to fetch ids. So a request waits for two seconds, unless the pool is known to have connections left, and then
 * fails with the cause. The exception ends the waiting calls, whose connections go back to the pool.
 */
final class ApplicationPool extends PlainDataSource {
    static final String WAY_OUT =
            "set idgen.jdbc.url, idgen.jdbc.user and idgen.jdbc.password, or pass a DataSource for idgen"
                    + " alone as idgen.jdbc.data-source";

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final PoolBean bean;
    private final Duration timeout;
    private final Connector connector;

    ApplicationPool(PoolBean bean, Duration timeout) {
        this.bean = bean;
        this.timeout = timeout.multipliedBy(9).dividedBy(10); // so that it fails first and reports the cause
        this.connector = new Connector(bean.dataSource()::getConnection);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Duration first = timeout.compareTo(PATIENCE) < 0 ? timeout : PATIENCE;
        try {
            return connector.connect(first);
        } catch (SQLException e) {
            boolean isTimeout = e instanceof SQLTimeoutException;
            OptionalInt size = bean.size();
            OptionalInt inUse = bean.inUse();
            boolean isKnown = size.isPresent() && inUse.isPresent();
            if (isKnown ? inUse.getAsInt() >= size.getAsInt() : isTimeout) {
                throw new PoolUsedUpException(usedUp(first), e);
            }
            if (!isTimeout || first.equals(timeout)) {
                throw e;
            }
            return connector.connect(timeout.minus(first));
        }
    }

    private String usedUp(Duration waited) {
        return "the application's pool (" + this + ") has had no connection for idgen for " + waited.toMillis()
                + " ms; probably the threads that wait for ids hold all of them, though the database may be fine; "
                + WAY_OUT;
    }

    @Override
    public String toString() {
        return bean + (bean.size().isPresent() ? " with " + bean.size().getAsInt() + " connections" : "");
    }
}
