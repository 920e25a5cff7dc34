package io.idgen.jdbc.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The kinds of database that tests run on; each call makes one that nobody else knows. */
public enum TestDatabase {
    /** In the memory of this process. */
    H2 {
        @Override
        public Database create() {
            String url = "jdbc:h2:mem:" + newName() + ";DB_CLOSE_DELAY=-1";
            String user = "sa";
            String password = "h2-secret";
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setURL(url);
            dataSource.setUser(user);
            dataSource.setPassword(password);
            String withCredentials = url + ";USER=" + user + ";PASSWORD=" + password;
            execute(withCredentials, "SELECT 1"); // there from now on, and closed below
            return new Database(
                    this, dataSource, url, withCredentials, user, password, () -> execute(withCredentials, "SHUTDOWN"));
        }
    },

    /**
     * On a server that this process starts with its first database, or on the one that the environment names in {@value
     * #SERVER_VARIABLE}, by a JDBC URL with the credentials of a user that may create databases.
     */
    POSTGRESQL {
        @Override
        public Database create() {
            PostgreSqlServer server = PostgreSqlServer.running();
            String name = newName();
            execute(server.url(), "CREATE DATABASE " + name);
            PGSimpleDataSource dataSource = new PGSimpleDataSource();
            dataSource.setUrl(server.urlOf(name));
            dataSource.setUser(server.user());
            dataSource.setPassword(server.password());
            return new Database(
                    this,
                    dataSource,
                    server.urlOf(name),
                    server.urlWithCredentials(name),
                    server.user(),
                    server.password(),
                    () -> execute(server.url(), "DROP DATABASE " + name + " WITH (FORCE)"));
        }
    };

    /** The environment variable for a server of PostgreSQL that runs already: {@value}. */
    public static final String SERVER_VARIABLE = "IDGEN_TEST_POSTGRESQL_URL";

    private static final AtomicInteger CREATED = new AtomicInteger();

    /** A new, empty database; closing it drops it. Fails if its server cannot be had. */
    public abstract Database create();

    // the process id keeps the runs apart that share a server
    private static String newName() {
        return "idgen_" + ProcessHandle.current().pid() + "_" + CREATED.incrementAndGet();
    }

    private static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("the test database refuses: " + sql, e);
        }
    }
}
