package io.idgen.hibernate;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.idgen.jdbc.testing.Database;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;

/** The kinds of data sources that applications use, except HikariCP. */
enum Pool {
    TOMCAT {
        @Override
        DataSource open(Database database, int connections) {
            org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
            pool.setUrl(database.plainUrl());
            pool.setUsername(database.user());
            pool.setPassword(database.password());
            pool.setInitialSize(0);
            pool.setMaxActive(connections);
            return pool;
        }
    },

    DBCP2 {
        @Override
        DataSource open(Database database, int connections) {
            BasicDataSource pool = new BasicDataSource();
            pool.setUrl(database.plainUrl());
            pool.setUsername(database.user());
            pool.setPassword(database.password());
            pool.setMaxTotal(connections);
            return pool;
        }
    },

    C3P0 {
        @Override
        DataSource open(Database database, int connections) {
            ComboPooledDataSource pool = new ComboPooledDataSource();
            pool.setJdbcUrl(database.plainUrl());
            pool.setUser(database.user());
            pool.setPassword(database.password());
            pool.setInitialPoolSize(1);
            pool.setMinPoolSize(1);
            pool.setMaxPoolSize(connections);
            return pool;
        }
    },

    AGROAL {
        @Override
        DataSource open(Database database, int connections) throws SQLException {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(connections)
                            .acquisitionTimeout(Duration.ofMinutes(2))
                            .connectionFactoryConfiguration(factory -> factory.jdbcUrl(database.plainUrl())
                                    .principal(new NamePrincipal(database.user()))
                                    .credential(new SimplePassword(database.password())))));
        }
    },

    /** Has the getters of Spring's data source over {@code DriverManager}. */
    DRIVER_MANAGER {
        @Override
        DataSource open(Database database, int connections) {
            return new ByDriverManager(database.plainUrl(), database.user(), database.password());
        }
    },

    /** The driver's own data source. */
    DRIVER {
        @Override
        DataSource open(Database database, int connections) {
            return database.dataSource();
        }
    };

    /** Opens a data source. If it is a pool, it has this number of connections. The caller closes it. */
    abstract DataSource open(Database database, int connections) throws SQLException;

    static void close(DataSource pool) {
        if (pool instanceof AutoCloseable open) {
            try {
                open.close();
            } catch (Exception e) {
                throw new IllegalStateException("the pool does not close", e);
            }
        } else if (pool instanceof org.apache.tomcat.jdbc.pool.DataSource tomcat) {
            tomcat.close(true);
        }
    }

    /** Opens a new connection for each request. */
    public static final class ByDriverManager extends Opaque {
        private final String url;
        private final String user;
        private volatile String password;

        ByDriverManager(String url, String user, String password) {
            super(null);
            this.url = url;
            this.user = user;
            this.password = password;
        }

        @Override
        public java.sql.Connection getConnection() throws SQLException {
            return DriverManager.getConnection(url, user, password);
        }

        public String getUrl() {
            return url;
        }

        public String getUsername() {
            return user;
        }

        public String getPassword() {
            return password;
        }

        public void setPassword(String newPassword) {
            this.password = newPassword;
        }
    }
}
