package io.idgen.jdbc.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A PgBouncer in transaction mode in front of a PostgreSQL database, with few connections to the server. It must be
 * installed; if it does not start, a test fails.
 */
public final class PgBouncer implements AutoCloseable {
    private static final long STARTUP_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long BETWEEN_NANOS = 20_000_000;

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
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) { // PgBouncer refuses to run as root
            command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        command.addAll(List.of("pgbouncer", settings.toString()));
        Path log = folder.resolve("log");
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        awaitStart(log);
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

    private void awaitStart(Path log) throws IOException {
        long beganNanos = System.nanoTime();
        while (true) {
            try {
                new Socket(InetAddress.getByName("127.0.0.1"), port).close();
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() - beganNanos > STARTUP_NANOS) {
                    process.destroyForcibly();
                    throw new IOException("it ended with: " + Files.readString(log), e);
                }
                LockSupport.parkNanos(BETWEEN_NANOS);
            }
        }
    }

    /** The JDBC URL of the database through PgBouncer, without user and password. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            TemporaryFolder.delete(folder);
        }
    }
}
