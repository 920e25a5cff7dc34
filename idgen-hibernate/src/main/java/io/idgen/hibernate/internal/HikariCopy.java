package io.idgen.hibernate.internal;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import java.sql.SQLException;
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
    private static final int CONNECTIONS = 2;

    private final HikariDataSource application;

    /** Creates a pool that connects on first use and keeps no idle connection. */
    private HikariCopy(HikariDataSource application) {
        this.application = application;
        application.copyStateTo(this);
        setMaximumPoolSize(CONNECTIONS);
        setMinimumIdle(0);
        // set once per connection; otherwise each allocation would read, change and restore them
        setAutoCommit(true);
        setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        setPoolName((application.getPoolName() == null ? "application" : application.getPoolName()) + "-idgen");
    }

    /** Returns a copy, if the data source is a HikariCP pool. */
    static Optional<HikariDataSource> of(DataSource dataSource) {
        try {
            return dataSource.isWrapperFor(HikariDataSource.class)
                    ? Optional.of(new HikariCopy(dataSource.unwrap(HikariDataSource.class)))
                    : Optional.empty();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot unwrap the data source of the persistence unit", e);
        }
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
}
