package io.idgen.jdbc.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The PostgreSQL server of this process: the one that the environment names, or one that this process starts on a free
 * port and in a temporary folder.
 */
record PostgreSqlServer(String host, String port, String maintenanceDatabase, String user, String password) {
    private static final int DROPS = 5;

    /** So many that a thread of the test before has ended before its database is used again. */
    private static final int UNUSED = 3;

    private static final Deque<PostgreSqlDatabase> USED_BEFORE = new ArrayDeque<>();

    /** Starts the server on first use; it ends with this process. Each call throws if the server does not start. */
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

    /** Returns an empty database: a new one, or one that tests have used before and that is as good as new. */
    Database database(TestDatabase kind, Supplier<String> newName) {
        PostgreSqlDatabase database = usedBefore().orElseGet(() -> create(newName.get()));
        PostgreSqlDatabase.Use use = database.use();
        String name = database.name();
        return new Database(kind, use.dataSource(), urlOf(name), urlWithCredentials(name), user, password, closed -> {
            if (use.end()) {
                end(database, closed.urlIsKnown());
            }
        });
    }

    private static Optional<PostgreSqlDatabase> usedBefore() {
        synchronized (USED_BEFORE) {
            return USED_BEFORE.size() < UNUSED ? Optional.empty() : Optional.of(USED_BEFORE.remove());
        }
    }

    private PostgreSqlDatabase create(String name) {
        TestDatabase.execute(url(), "CREATE DATABASE " + name);
        PGSimpleDataSource driver = new PGSimpleDataSource();
        driver.setUrl(urlOf(name));
        driver.setUser(user);
        driver.setPassword(password);
        return new PostgreSqlDatabase(name, driver);
    }

    /** A server that runs longer than this process keeps no databases. */
    private void end(PostgreSqlDatabase database, boolean urlIsKnown) {
        if (!urlIsKnown && System.getenv(TestDatabase.SERVER_VARIABLE) == null && database.clean()) {
            synchronized (USED_BEFORE) {
                USED_BEFORE.add(database);
            }
        } else {
            database.endSessions();
            drop(database.name());
        }
    }

    /**
     * Drops a database and ends its sessions. Retries, because the server waits only five seconds for the sessions to
     * end, which is too short on a busy disk. A drop also fails while autovacuum records its visit to the database. This
     * user may not end autovacuum by FORCE; a drop without FORCE does, so every second attempt is one.
     */
    private void drop(String database) {
        for (int tries = 1; ; tries++) {
            try {
                TestDatabase.execute(
                        url(), "DROP DATABASE IF EXISTS " + database + (tries % 2 == 1 ? " WITH (FORCE)" : ""));
                return;
            } catch (IllegalStateException e) {
                if (tries == DROPS) {
                    throw e;
                }
            }
        }
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
            EmbeddedPostgres server = EmbeddedPostgreSql.builder()
                    .setDataDirectory(TemporaryFolder.createInMemory("idgen-postgresql"))
                    .setDataDirectoryCustomizer(EmbeddedPostgreSql::askForPasswords)
                    .start();
            EmbeddedPostgreSql.createUser(server);
            return new PostgreSqlServer(
                    "localhost",
                    String.valueOf(server.getPort()),
                    "postgres",
                    EmbeddedPostgreSql.USER,
                    EmbeddedPostgreSql.PASSWORD);
        } catch (IOException | SQLException e) {
            throw new IllegalStateException("the embedded server of PostgreSQL did not come up", e);
        }
    }
}
