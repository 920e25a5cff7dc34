package io.idgen.jdbc.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.postgresql.Driver;

/** The one server of PostgreSQL of this process: the environment's, or one of its own on a free port and in a temporary folder. */
record PostgreSqlServer(String host, String port, String maintenanceDatabase, String user, String password) {
    private static final String USER = "idgen_test";
    private static final String PASSWORD = "postgresql-secret";

    /** Started when it is first asked for, ended with the process; throws, each time, if it does not come up. */
    static PostgreSqlServer running() {
        return Holder.SERVER;
    }

    String url() {
        return urlWithCredentials(maintenanceDatabase);
    }

    String urlOf(String database) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }

    String urlWithCredentials(String database) {
        return urlOf(database) + "?user=" + user + "&password=" + password;
    }

    private static final class Holder {
        static final PostgreSqlServer SERVER = find();

        private static PostgreSqlServer find() {
            String url = System.getenv(TestDatabase.SERVER_VARIABLE);
            return url == null ? start() : of(url);
        }
    }

    private static PostgreSqlServer of(String url) {
        Properties parts = Driver.parseURL(url, new Properties());
        if (parts == null || parts.getProperty("user") == null || parts.getProperty("password") == null) {
            throw new IllegalStateException(
                    TestDatabase.SERVER_VARIABLE + " must be jdbc:postgresql://host:port/database?user=…&password=…");
        }
        return new PostgreSqlServer(
                parts.getProperty("PGHOST"),
                parts.getProperty("PGPORT"),
                parts.getProperty("PGDBNAME"),
                parts.getProperty("user"),
                parts.getProperty("password"));
    }

    @SuppressWarnings("resource") // it ends with the process
    private static PostgreSqlServer start() {
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    // of this user alone: another's binaries in a shared folder could not be used
                    .setOverrideWorkingDirectory(new File(
                            System.getProperty("java.io.tmpdir"),
                            "idgen-postgresql-" + System.getProperty("user.name")))
                    .setDataDirectoryCustomizer(PostgreSqlServer::askForPasswords)
                    .start();
            try (Connection connection = server.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE ROLE " + USER + " LOGIN CREATEDB CREATEROLE PASSWORD '" + PASSWORD + "'");
            }
            return new PostgreSqlServer("localhost", String.valueOf(server.getPort()), "postgres", USER, PASSWORD);
        } catch (IOException | SQLException e) {
            throw new IllegalStateException("the embedded server of PostgreSQL did not come up", e);
        }
    }

    /** The server trusts everybody; not so the users of the tests, or a wrong password could not be tried. */
    private static void askForPasswords(File dataDirectory) {
        try {
            Path rules = dataDirectory.toPath().resolve("pg_hba.conf");
            String trusting = Files.readString(rules);
            Files.writeString(rules, "host all postgres all trust\nhost all all all scram-sha-256\n" + trusting);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
