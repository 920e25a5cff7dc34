package io.idgen.jdbc.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A PostgreSQL server on a free port and in a temporary folder. Both stay the same after a restart. It ends with this
 * process.
 */
final class EmbeddedPostgreSql implements ServerProcess {
    static final String USER = "idgen_test";
    static final String PASSWORD = "postgresql-secret";

    private final Path folder = TemporaryFolder.create("idgen-postgresql");
    private final Path data = folder.resolve("data");
    private int port = FreePort.find();
    private final String synchronousCommit;
    private EmbeddedPostgres server;

    /** Creates a server whose sessions have this setting by default. */
    EmbeddedPostgreSql(String synchronousCommit) {
        this.synchronousCommit = synchronousCommit;
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop();
            delete();
        }));
    }

    /**
     * Creates a standby from a copy of the primary's files. It follows the primary once it is started. The primary must
     * be stopped.
     */
    static EmbeddedPostgreSql standbyOf(EmbeddedPostgreSql primary) {
        EmbeddedPostgreSql standby = new EmbeddedPostgreSql(primary.synchronousCommit);
        TemporaryFolder.copy(primary.data, standby.data);
        try {
            Files.createFile(standby.data.resolve("standby.signal"));
            Files.writeString(
                    standby.data.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=127.0.0.1 port=" + primary.port + " user=postgres'\n",
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return standby;
    }

    int port() {
        return port;
    }

    /** Changes the port from the next start on. */
    void moveTo(int newPort) {
        port = newPort;
    }

    /** Starts the server with {@code fsync} on, because tests kill it. By default, the library turns it off. */
    @Override
    public void start() {
        boolean first = Files.notExists(data);
        try {
            EmbeddedPostgres.Builder builder = builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setRegisterShutdownHook(false)
                    .setPort(port)
                    .setServerConfig("fsync", "on")
                    .setServerConfig(
                            "unix_socket_directories", "") // a killed server would leave a lock file for its port there
                    .setServerConfig("synchronous_commit", synchronousCommit)
                    .setServerConfig("wal_writer_delay", "10s"); // keeps asynchronous commits unwritten
            if (first) {
                builder.setDataDirectoryCustomizer(EmbeddedPostgreSql::askForPasswords);
            }
            server = builder.start();
            if (first) {
                createUser(server);
            }
        } catch (IOException | SQLException e) {
            throw new IllegalStateException("the embedded server of PostgreSQL did not come up", e);
        }
    }

    @Override
    public void stop() {
        if (server != null) {
            try {
                server.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public long pid() {
        try {
            return Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void delete() {
        TemporaryFolder.delete(folder);
    }

    static EmbeddedPostgres.Builder builder() {
        // a folder of this user: binaries that another user unpacked in a shared folder would not be usable
        return EmbeddedPostgres.builder()
                // tests log in thousands of times, by default with 4096 hashes on both sides
                .setServerConfig("scram_iterations", "1")
                .setPGStartupWait(Duration.ofMinutes(3)) // recovery takes longer than a start
                .setOverrideWorkingDirectory(new File(
                        System.getProperty("java.io.tmpdir"), "idgen-postgresql-" + System.getProperty("user.name")));
    }

    static void createUser(EmbeddedPostgres server) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + USER + " LOGIN CREATEDB CREATEROLE PASSWORD '" + PASSWORD + "'");
        }
    }

    /** By default, the server trusts all users. Test users need a password, so that tests can try a wrong one. */
    static void askForPasswords(File dataDirectory) {
        try {
            Path rules = dataDirectory.toPath().resolve("pg_hba.conf");
            String trusting = Files.readString(rules);
            Files.writeString(rules, "host all postgres all trust\nhost all all all scram-sha-256\n" + trusting);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
