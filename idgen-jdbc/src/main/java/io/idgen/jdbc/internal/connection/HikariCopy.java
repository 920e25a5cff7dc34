package io.idgen.jdbc.internal.connection;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A second, small pool with the settings of the application's pool. A thread that holds a connection of the application
 * and waits for an id must not wait for a second connection of the same pool.
 *
 * <p>User and password are not copied. They are read for each new connection, since an application may change them
 * while it runs.
 */
final class HikariCopy extends HikariDataSource {
    private final HikariDataSource application;

    /** Creates a pool that connects on first use and keeps no idle connection. */
    private HikariCopy(HikariDataSource application, Duration timeout) {
        this.application = application;
        application.copyStateTo(this);
        setMaximumPoolSize(OwnConnections.MOST);
        setMinimumIdle(0);
        // set once per connection; otherwise each allocation would read, change and restore them
        setAutoCommit(true);
        setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        setPoolName(nameOf(application) + "-idgen");
        HikariPool.tellFailures(this, timeout);
    }

    /** Returns a copy, if the data source is a HikariCP pool, perhaps wrapped. */
    static Optional<HikariDataSource> of(DataSource dataSource, Duration timeout) {
        return find(dataSource).map(application -> new HikariCopy(application, timeout));
    }

    /** The pool, if the data source is one or wraps one. */
    private static Optional<HikariDataSource> find(DataSource dataSource) {
        try {
            return dataSource instanceof HikariDataSource hikari
                    ? Optional.of(hikari)
                    : dataSource.isWrapperFor(HikariDataSource.class)
                            ? Optional.of(dataSource.unwrap(HikariDataSource.class))
                            : Optional.empty();
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            return Optional.empty(); // its wrapped objects are unknown
        }
    }

    private static String nameOf(HikariDataSource pool) {
        return pool.getPoolName() == null ? "application" : pool.getPoolName();
    }

    @Override
    public String getUsername() {
        return application.getUsername();
    }

    @Override
    public String getPassword() {
        return application.getPassword();
    }

    // Newer versions read both at once; older ones do not have the class, and never call this.
    @Override
    public Credentials getCredentials() {
        return application.getCredentials();
    }

    @Override
    public String toString() {
        return "a copy of the HikariCP pool '" + nameOf(application) + "' with " + OwnConnections.MOST + " connections";
    }
}
