package io.idgen.jdbc.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;

/**
 * A Pgpool-II in front of a primary and its replica. It sends reads to the replica and everything else to the primary.
 * It must be installed; if it does not start, a test fails.
 */
public final class Pgpool implements AutoCloseable {
    private static final Duration STARTUP = Duration.ofSeconds(20);

    private final Path folder = TemporaryFolder.create("idgen-pgpool");
    private final String url;
    private final Process process;

    private Pgpool(PostgreSqlPair servers, List<String> more) throws IOException {
        int port = FreePort.find();
        url = servers.url().replaceFirst("//[^/]*/", "//127.0.0.1:" + port + "/");
        Path settings = Files.writeString(folder.resolve("pgpool.conf"), """
                        listen_addresses = '127.0.0.1'
                        port = %1$d
                        socket_dir = '%2$s'
                        pcp_port = %3$d
                        pcp_socket_dir = '%2$s'
                        wd_ipc_socket_dir = '%2$s'
                        pid_file_name = '%2$s/pid'
                        logdir = '%2$s'
                        pool_passwd = ''
                        allow_clear_text_frontend_auth = on
                        backend_clustering_mode = 'streaming_replication'
                        backend_hostname0 = '127.0.0.1'
                        backend_port0 = %4$d
                        backend_weight0 = 0
                        backend_flag0 = 'ALWAYS_PRIMARY|DISALLOW_TO_FAILOVER'
                        backend_hostname1 = '127.0.0.1'
                        backend_port1 = %5$d
                        backend_weight1 = 1
                        backend_flag1 = 'DISALLOW_TO_FAILOVER'
                        load_balance_mode = on
                        sr_check_period = 0
                        num_init_children = 64
                        max_pool = 1
                        %6$s
                        """.formatted(
                port, folder, FreePort.find(), servers.primaryPort(), servers.standbyPort(), String.join("\n", more)));
        Path pcp = Files.createFile(folder.resolve("pcp.conf"));
        Path rules = Files.createFile(folder.resolve("pool_hba.conf"));
        if (System.getProperty("user.name").equals("root")) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        List<String> command = Program.as(
                "nobody",
                "nogroup",
                "/usr/sbin/pgpool",
                "-n",
                "-f",
                settings.toString(),
                "-F",
                pcp.toString(),
                "-a",
                rules.toString());
        Path log = folder.resolve("log");
        process = Program.builder(command, folder, log).start();
        Program.await(process, log, STARTUP, () -> {
            DriverManager.getConnection(url).close();
            return true;
        });
    }

    /**
     * Starts Pgpool-II in front of two servers.
     *
     * @param more additional lines of its configuration
     */
    public static Pgpool before(PostgreSqlPair servers, String... more) {
        try {
            return new Pgpool(servers, List.of(more));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "pgpool did not start; is it installed, on Debian by apt-get install pgpool2?", e);
        }
    }

    /** The JDBC URL of the database through Pgpool-II, with user and password inside. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        Program.kill(process);
        TemporaryFolder.delete(folder);
    }
}
