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

/** A kind of database that inserts are measured on; its server comes up with the first one that is made. */
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
            return Optional.empty(); // this one
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
                return Optional.empty(); // on another machine
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

    /** As an option and the names of tables have it, {@code postgresql}. */
    String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A database whose server is reached over the network; {@link #H2}'s is otherwise in this process. */
    Database create(boolean overNetwork) {
        return overNetwork ? kind.createShared() : kind.create();
    }

    /** The driver's own data source for a database, by its URL or by one that leads there through a proxy. */
    abstract DataSource dataSource(String url, Database database) throws SQLException;

    /** The server's process, if it is one of this machine and not this one. */
    abstract Optional<ProcessHandle> process(Connection connection) throws SQLException;

    /** Makes the database look how large its tables are. */
    abstract String beforeSize();

    /** Gives the bytes of the table {@code orders} and of its indexes. */
    abstract String sizeQuery();

    /** What it is and which driver speaks to it. */
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
