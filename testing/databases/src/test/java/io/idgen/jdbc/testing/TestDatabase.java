package io.idgen.jdbc.testing;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.hsqldb.jdbc.JDBCDataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.sqlite.SQLiteDataSource;

/** The kinds of databases in tests; each call returns an empty database. */
public enum TestDatabase {
    /** In the memory of this process. */
    H2 {
        @Override
        public Database create() {
            String name = newName();
            return h2(name, "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        }

        @Override
        public Database createShared() {
            String name = newName();
            return h2(name, "jdbc:h2:tcp://localhost:" + H2Server.port() + "/mem:" + name);
        }

        private Database h2(String name, String url) {
            String user = "sa";
            String password = "h2-secret";
            String credentials = ";USER=" + user + ";PASSWORD=" + password;
            String here = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1" + credentials;
            execute(here, "SELECT 1"); // creates the database, which is closed below
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setURL(url);
            dataSource.setUser(user);
            dataSource.setPassword(password);
            return new Database(
                    this, dataSource, url, url + credentials, user, password, closed -> execute(here, "SHUTDOWN"));
        }
    },

    /**
     * On a server that this process starts with its first database, or on the one that the environment variable {@value
     * #SERVER_VARIABLE} names. The variable has a JDBC URL with the credentials of a user that may create databases.
     */
    POSTGRESQL {
        @Override
        public Database create() {
            return PostgreSqlServer.running().database(this, TestDatabase::newName);
        }
    },

    /**
     * On a server that this process starts with its first database, or on the one that the environment variable {@value
     * #MARIADB_SERVER_VARIABLE} names. The variable has a JDBC URL with the credentials of a user that may create
     * databases.
     */
    MARIADB {
        @Override
        public Database create() {
            return byMariaDbDriver(MariaDbServer.running());
        }
    },

    /** The same server through MySQL's driver, which treats it as a MySQL server. */
    MARIADB_BY_MYSQL_DRIVER {
        @Override
        public Database create() {
            return byMySqlDriver(MariaDbServer.running());
        }
    },

    /** On a server that this process starts with its first database. Needs {@code IDGEN_MYSQL_HOME}. */
    MYSQL {
        @Override
        public Database create() {
            return byMySqlDriver(MariaDbServer.mySql());
        }
    },

    /** The same server through MariaDB's driver. */
    MYSQL_BY_MARIADB_DRIVER {
        @Override
        public Database create() {
            return byMariaDbDriver(MariaDbServer.mySql());
        }
    },

    /** In the memory of this process. */
    HSQLDB {
        @Override
        public Database create() {
            String name = newName();
            return hsqldb(name, "jdbc:hsqldb:mem:" + name, () -> {});
        }

        @Override
        public Database createShared() {
            String name = newName();
            HsqldbServer server = new HsqldbServer(name);
            return hsqldb(name, server.url(), server::start);
        }

        private Database hsqldb(String name, String url, Runnable server) {
            String user = "IDGEN_TEST";
            String password = "hsqldb-secret";
            String credentials = ";user=" + user + ";password=" + password;
            String here = "jdbc:hsqldb:mem:" + name + credentials;
            execute(here, "CALL 1"); // creates the database, which is owned by this user
            server.run();
            JDBCDataSource dataSource = new JDBCDataSource();
            dataSource.setURL(url);
            dataSource.setUser(user);
            dataSource.setPassword(password);
            return new Database(
                    this, dataSource, url, url + credentials, user, password, closed -> execute(here, "SHUTDOWN"));
        }
    },

    /** A file in a temporary folder. SQLite has no users, so user and password are empty. */
    SQLITE {
        @Override
        public Database create() {
            Path folder = TemporaryFolder.createInMemory("idgen-sqlite");
            // writers wait for each other instead of failing, and readers do not wait for them
            String url = "jdbc:sqlite:" + folder.resolve(newName() + ".db") + "?journal_mode=WAL&busy_timeout=30000";
            execute(url, "SELECT 1");
            SQLiteDataSource dataSource = new SQLiteDataSource();
            dataSource.setUrl(url);
            return new Database(this, dataSource, url, url, "", "", closed -> TemporaryFolder.delete(folder));
        }
    };

    /** The environment variable with the JDBC URL of a PostgreSQL server that runs already: {@value}. */
    public static final String SERVER_VARIABLE = "IDGEN_TEST_POSTGRESQL_URL";

    /** The environment variable with the JDBC URL of a MariaDB server that runs already: {@value}. */
    public static final String MARIADB_SERVER_VARIABLE = "IDGEN_TEST_MARIADB_URL";

    private static final AtomicInteger CREATED = new AtomicInteger();

    /** Creates a new, empty database; closing it drops it. Fails if its server does not start. */
    public abstract Database create();

    /** Like {@link #create()}, but other processes on this machine can open the URL too while this process runs. */
    public Database createShared() {
        return create();
    }

    // the process id distinguishes runs that share a server
    private static String newName() {
        return "idgen_" + ProcessHandle.current().pid() + "_" + CREATED.incrementAndGet();
    }

    Database byMariaDbDriver(MariaDbServer server) {
        return mariaDb(server, "jdbc:mariadb", "sslMode=disable&allowPublicKeyRetrieval=true", MariaDbDataSource::new);
    }

    Database byMySqlDriver(MariaDbServer server) {
        return mariaDb(server, "jdbc:mysql", "sslMode=DISABLED&allowPublicKeyRetrieval=true", url -> {
            MysqlDataSource dataSource = new MysqlDataSource();
            dataSource.setUrl(url);
            return dataSource;
        });
    }

    private Database mariaDb(MariaDbServer server, String scheme, String options, ByUrl driver) {
        String name = newName();
        execute(server.url(), "CREATE DATABASE " + name);
        String url = scheme + "://" + server.host() + ":" + server.port() + "/" + name + "?" + options;
        String withCredentials = url + "&user=" + server.user() + "&password=" + server.password();
        try {
            return new Database(
                    this,
                    driver.dataSource(withCredentials),
                    url,
                    withCredentials,
                    server.user(),
                    server.password(),
                    closed -> server.drop(name));
        } catch (SQLException e) {
            throw new IllegalStateException("the driver refuses " + url, e);
        }
    }

    static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("the test database refuses: " + sql + ": " + e.getMessage(), e);
        }
    }

    /** A driver's own data source. */
    @FunctionalInterface
    interface ByUrl {
        DataSource dataSource(String url) throws SQLException;
    }
}
