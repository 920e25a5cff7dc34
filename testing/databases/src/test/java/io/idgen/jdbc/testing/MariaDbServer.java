package io.idgen.jdbc.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.mariadb.jdbc.Configuration;
import org.mariadb.jdbc.HostAddress;

/**
 * A server of MariaDB or MySQL for this process. That of MariaDB is the one that the environment names, or one that
 * this process starts; that of MySQL is always started.
 */
record MariaDbServer(String host, int port, String maintenanceDatabase, String user, String password) {
    private static final int NO_SUCH_SESSION = 1094;

    /** Starts MariaDB on first use; it ends with this process. Each call throws if the server does not start. */
    static MariaDbServer running() {
        return Holder.SERVER;
    }

    /** Starts MySQL on first use; it ends with this process. Each call throws if the server does not start. */
    static MariaDbServer mySql() {
        return MySqlHolder.SERVER;
    }

    String url() {
        return "jdbc:mariadb://" + host + ":" + port + "/" + maintenanceDatabase
                + "?sslMode=disable&allowPublicKeyRetrieval=true&user=" + user + "&password=" + password;
    }

    /**
     * Drops a database. Ends its sessions first, because a session that holds one of its tables would prevent the drop.
     */
    void drop(String database) {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            for (long session : sessions(connection, database)) {
                kill(statement, session);
            }
            statement.execute("DROP DATABASE " + database);
        } catch (SQLException e) {
            throw new IllegalStateException("the test database does not end", e);
        }
    }

    private static List<Long> sessions(Connection connection, String database) throws SQLException {
        List<Long> sessions = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT id FROM information_schema.processlist WHERE db = ?")) {
            statement.setString(1, database);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sessions.add(rows.getLong(1));
                }
            }
        }
        return sessions;
    }

    private static void kill(Statement statement, long session) throws SQLException {
        try {
            statement.execute("KILL " + session);
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_SESSION) {
                throw e;
            }
        }
    }

    private static final class Holder {
        static final MariaDbServer SERVER = find();

        private static MariaDbServer find() {
            String url = System.getenv(TestDatabase.MARIADB_SERVER_VARIABLE);
            return url == null ? start() : of(url);
        }
    }

    private static final class MySqlHolder {
        static final MariaDbServer SERVER = start();

        private static MariaDbServer start() {
            // its data is temporary, so commits need not be on disk
            EmbeddedMySql server = EmbeddedMySql.inMemory("--innodb-flush-log-at-trx-commit=0", "--sync-binlog=0");
            server.start();
            return new MariaDbServer("localhost", server.port(), "mysql", EmbeddedMySql.USER, EmbeddedMySql.PASSWORD);
        }
    }

    private static MariaDbServer of(String url) {
        try {
            Configuration parts = Configuration.parse(url);
            if (parts == null || parts.user() == null || parts.password() == null || parts.database() == null) {
                throw new IllegalStateException(TestDatabase.MARIADB_SERVER_VARIABLE
                        + " must be jdbc:mariadb://host:port/database?user=…&password=…");
            }
            HostAddress address = parts.addresses().get(0);
            return new MariaDbServer(address.host, address.port, parts.database(), parts.user(), parts.password());
        } catch (SQLException e) {
            throw new IllegalStateException(TestDatabase.MARIADB_SERVER_VARIABLE + " is not a JDBC URL", e);
        }
    }

    private static MariaDbServer start() {
        // its data is temporary, so commits need not be on disk
        EmbeddedMariaDb server = EmbeddedMariaDb.inMemory("--innodb-flush-log-at-trx-commit=0");
        server.start();
        return new MariaDbServer("localhost", server.port(), "mysql", EmbeddedMariaDb.USER, EmbeddedMariaDb.PASSWORD);
    }
}
