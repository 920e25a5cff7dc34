package io.idgen.jdbc.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/**
 * A PgBouncer in transaction mode in front of a PostgreSQL database, with few connections to the server. It must be
 * installed; if it does not start, a test fails.
 */
public final class PgBouncer implements AutoCloseable {
    private static final Duration STARTUP = Duration.ofSeconds(20);

    private final Path folder = TemporaryFolder.create("idgen-pgbouncer");
    private final int port = FreePort.find();
    private final String url;
    private final Process process;

    private PgBouncer(Database postgreSql, int serverConnections) throws IOException {
        URI server = URI.create(postgreSql.plainUrl().substring("jdbc:".length()));
        this.url = "jdbc:postgresql://127.0.0.1:" + port + server.getPath();
        Path users = Files.writeString(
                folder.resolve("users.txt"), "\"" + postgreSql.user() + "\" \"" + postgreSql.password() + "\"\n");
        Path settings = Files.writeString(
                folder.resolve("pgbouncer.ini"), """
                        [databases]
                        * = host=127.0.0.1 port=%d
                        [pgbouncer]
                        listen_addr = 127.0.0.1
                        listen_port = %d
                        unix_socket_dir =
                        auth_type = trust
                        auth_file = %s
                        pool_mode = transaction
                        default_pool_size = %d
                        max_client_conn = 200
                        ignore_startup_parameters = extra_float_digits
                        """.formatted(server.getPort(), port, users, serverConnections));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path log = folder.resolve("log");
        process = Program.builder(Program.as("nobody", "nogroup", "pgbouncer", settings.toString()), folder, log)
                .start();
        Program.await(process, log, STARTUP, () -> {
            new Socket(InetAddress.getByName("127.0.0.1"), port).close();
            return true;
        });
    }

    /**
     * Starts PgBouncer in front of a database.
     *
     * @param serverConnections how many connections to the server all clients share
     */
    public static PgBouncer before(Database postgreSql, int serverConnections) {
        try {
            return new PgBouncer(postgreSql, serverConnections);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "pgbouncer did not start; is it installed, on Debian by apt-get install pgbouncer?", e);
        }
    }

    /** The JDBC URL of the database through PgBouncer, without user and password. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        Program.kill(process);
        TemporaryFolder.delete(folder);
    }
}
