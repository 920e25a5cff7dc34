package io.idgen.hibernate.internal;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A second, small pool with the settings of the application's: a thread that holds one of the application's connections and
 * waits for an id must not wait for a second one of the same pool.
 *
 * <p>User and password are not copied but looked up for each new connection, for a pool's may be changed while it runs.
 */
final class HikariCopy extends HikariDataSource {
    private static final int CONNECTIONS = 2;

    private final HikariDataSource application;

    /** Connects on first use and keeps no idle connection. */
    private HikariCopy(HikariDataSource application) {
        this.application = application;
        application.copyStateTo(this);
        setMaximumPoolSize(CONNECTIONS);
        setMinimumIdle(0);
        // once for each connection, or each allocation would ask for them, change them and put them back
        setAutoCommit(true);
        setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        setPoolName((application.getPoolName() == null ? "application" : application.getPoolName()) + "-idgen");
    }

    /** A copy, if the data source is a HikariCP pool. */
    static Optional<HikariDataSource> of(DataSource dataSource) {
        try {
            return dataSource.isWrapperFor(HikariDataSource.class)
                    ? Optional.of(new HikariCopy(dataSource.unwrap(HikariDataSource.class)))
                    : Optional.empty();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot look into the data source of the persistence unit", e);
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

    // Newer versions ask for both at once; older ones do not know the class, and never call this.
    @Override
    public Credentials getCredentials() {
        return application.getCredentials();
    }
}
