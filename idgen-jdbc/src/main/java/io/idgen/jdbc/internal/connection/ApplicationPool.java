package io.idgen.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The application's own data source. Its threads may hold all its connections while they wait for ids, and idgen needs
 * one to fetch ids. So a request waits for at most two seconds, and then fails with the cause. The exception ends the
 * waiting calls, whose connections go back to the pool.
 */
final class ApplicationPool extends PlainDataSource {
    static final String WAY_OUT =
            "set idgen.jdbc.url, idgen.jdbc.user and idgen.jdbc.password, or pass a DataSource for idgen"
                    + " alone as idgen.jdbc.data-source";

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final String name;
    private final Duration patience;
    private final Connector connector;

    ApplicationPool(DataSource dataSource, Duration timeout) {
        this.name = dataSource.getClass().getName();
        Duration most = timeout.multipliedBy(9).dividedBy(10); // so that it fails first and reports the cause
        this.patience = most.compareTo(PATIENCE) < 0 ? most : PATIENCE;
        this.connector = new Connector(dataSource::getConnection);
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return connector.connect(patience);
        } catch (SQLTimeoutException e) {
            throw new SQLTransientConnectionException(
                    "the application's pool (" + name + ") has had no connection for idgen for " + patience.toMillis()
                            + " ms; probably the threads that wait for ids hold all of them, though the database may be"
                            + " fine; " + WAY_OUT,
                    ConnectionRefusal.NO_MORE,
                    e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
