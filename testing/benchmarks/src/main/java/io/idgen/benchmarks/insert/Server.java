package io.idgen.benchmarks.insert;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The kinds of databases for the insert benchmark. The server starts with the first database. */
enum Server {
    H2(TestDatabase.H2) {
        @Override
        DataSource dataSource(String url, Database database) {
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setURL(url);
            dataSource.setUser(database.user());
            dataSource.setPassword(database.password());
            return dataSource;
        }

        @Override
        Optional<ProcessHandle> process(Connection connection) {
            return Optional.empty(); // H2 runs in this process
        }

        @Override
        String beforeSize() {
            return "CHECKPOINT";
        }

        @Override
        String sizeQuery() {
            return "SELECT DISK_SPACE_USED('ORDERS'), 0";
        }
    },

    POSTGRESQL(TestDatabase.POSTGRESQL) {
        @Override
        DataSource dataSource(String url, Database database) {
            PGSimpleDataSource dataSource = new PGSimpleDataSource();
            dataSource.setUrl(url);
            dataSource.setUser(database.user());
            dataSource.setPassword(database.password());
            return dataSource;
        }

        @Override
        Optional<ProcessHandle> process(Connection connection) throws SQLException {
            return ProcessHandle.of(Long.parseLong(text(connection, "SELECT pg_backend_pid()")))
                    .flatMap(ProcessHandle::parent);
        }

        @Override
        String beforeSize() {
            return "ANALYZE orders";
        }

        @Override
        String sizeQuery() {
            return "SELECT pg_relation_size('orders'), pg_indexes_size('orders')";
        }
    },

    MARIADB(TestDatabase.MARIADB) {
        @Override
        DataSource dataSource(String url, Database database) throws SQLException {
            MariaDbDataSource dataSource = new MariaDbDataSource(url);
            dataSource.setUser(database.user());
            dataSource.setPassword(database.password());
            return dataSource;
        }

        @Override
        Optional<ProcessHandle> process(Connection connection) throws SQLException {
            Path file = Path.of(text(connection, "SELECT @@pid_file"));
            try {
                return ProcessHandle.of(Long.parseLong(Files.readString(file).strip()));
            } catch (java.io.IOException e) {
                return Optional.empty(); // it runs on another machine
            }
        }

        @Override
        String beforeSize() {
            return "ANALYZE TABLE orders";
        }

        @Override
        String sizeQuery() {
            return "SELECT data_length, index_length FROM information_schema.tables"
                    + " WHERE table_schema = DATABASE() AND table_name = 'orders'";
        }
    };

    private final TestDatabase kind;

    Server(TestDatabase kind) {
        this.kind = kind;
    }

    /** Returns the name in options and tables, for example {@code postgresql}. */
    String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Creates a database. Over the network, its server is another process; otherwise {@link #H2} runs in this process.
     */
    Database create(boolean overNetwork) {
        return overNetwork ? kind.createShared() : kind.create();
    }

    /** Returns the driver's data source for a database, by its URL or by the URL of a proxy. */
    abstract DataSource dataSource(String url, Database database) throws SQLException;

    /** Returns the process of the server; empty if it is this process or on another machine. */
    abstract Optional<ProcessHandle> process(Connection connection) throws SQLException;

    /** Returns the statement that updates the database's statistics on the size of its tables. */
    abstract String beforeSize();

    /** Returns the query for the sizes in bytes of the table {@code orders} and of its indexes. */
    abstract String sizeQuery();

    /** Returns the product and its driver, with versions. */
    static String describe(Connection connection) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        return about.getDatabaseProductName() + " " + about.getDatabaseProductVersion() + ", " + about.getDriverName()
                + " " + about.getDriverVersion();
    }

    private static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
