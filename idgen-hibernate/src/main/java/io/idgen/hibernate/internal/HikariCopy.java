package io.idgen.hibernate.internal;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A second, small pool with the settings of the application's: a thread that holds one of the application's connections and
 * waits for an id must not wait for a second one of the same pool.
 */
final class HikariCopy {
    private static final int CONNECTIONS = 2;

    private HikariCopy() {}

    /** A copy that connects on first use and keeps no idle connection, if the data source is a HikariCP pool. */
    static Optional<HikariDataSource> of(DataSource dataSource) {
        try {
            return dataSource.isWrapperFor(HikariDataSource.class)
                    ? Optional.of(copy(dataSource.unwrap(HikariDataSource.class)))
                    : Optional.empty();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot look into the data source of the persistence unit", e);
        }
    }

    private static HikariDataSource copy(HikariDataSource pool) {
        HikariDataSource copy = new HikariDataSource();
        pool.copyStateTo(copy);
        copy.setMaximumPoolSize(CONNECTIONS);
        copy.setMinimumIdle(0);
        copy.setPoolName((pool.getPoolName() == null ? "application" : pool.getPoolName()) + "-idgen");
        return copy;
    }
}
