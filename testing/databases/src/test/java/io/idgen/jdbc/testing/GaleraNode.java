package io.idgen.jdbc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A node of a Galera cluster, from Debian's packages {@code mariadb-server}, {@code galera-4} and {@code rsync}. Its
 * ports and files remain when it is killed.
 */
final class GaleraNode {
    private static final Path PROVIDER = Path.of("/usr/lib/galera/libgalera_smm.so");
    private static final String OWNER = "mysql"; // rsync copies no files for root
    private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");

    private static final Duration STARTUP = Duration.ofSeconds(60);
    private static final Pattern RECOVERED = Pattern.compile("Recovered position: ([0-9a-f-]+):(\\d+)");

    private final Path folder = TemporaryFolder.create("idgen-galera");
    private final Path data;
    private final Path settings = folder.resolve("node.cnf");
    private final Path log = folder.resolve("log");
    private final int port = FreePort.find();
    private final int groupPort = FreePort.find();
    private final int changesPort = FreePort.find();
    private final int copyPort = FreePort.find();
    private @Nullable Process process;

    /** The last transaction that a stopped node has on disk. */
    record Position(String cluster, long number) {
        @Override
        public String toString() {
            return cluster + ":" + number;
        }
    }

    GaleraNode() {
        try {
            give(folder);
            data = give(Files.createDirectory(folder.resolve("data")));
            give(Files.createDirectory(folder.resolve("tmp")));
        } catch (IOException e) {
            throw new IllegalStateException("a node of Galera could not be set up; " + advice(), e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            kill();
            delete();
        }));
    }

    private static String advice() {
        return "is it installed, on Debian by apt-get install mariadb-server galera-4 rsync?";
    }

    private static Path give(Path path) throws IOException {
        if (IS_ROOT) {
            UserPrincipal owner =
                    path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OWNER);
            Files.setOwner(path, owner);
        }
        return path;
    }

    /** Returns the address at which the other nodes of the group find this one. */
    String groupAddress() {
        return "127.0.0.1:" + groupPort;
    }

    /** Returns the address at which clients find this node. */
    String address() {
        return "127.0.0.1:" + port;
    }

    String url(String database) {
        return "jdbc:mariadb://" + address() + "/" + database + GaleraCluster.PROPERTIES;
    }

    /**
     * Writes the settings of this node. A log that is not flushed at commit is not flushed later either. So the loss at
     * a kill does not depend on the moment. The group excludes a node after two seconds of silence instead of five.
     * With a shorter time, it would exclude live nodes on a busy machine.
     */
    void configure(List<GaleraNode> group, int flushLogAtCommit) {
        String members = group.stream().map(GaleraNode::groupAddress).collect(Collectors.joining(","));
        try {
            Files.writeString(settings, """
                    [mysqld]
                    datadir = %1$s/data
                    tmpdir = %1$s/tmp
                    socket = %1$s/socket
                    pid-file = %1$s/pid
                    port = %2$d
                    bind-address = 127.0.0.1
                    skip-name-resolve
                    max-connections = 300
                    binlog_format = ROW
                    innodb_autoinc_lock_mode = 2
                    innodb_buffer_pool_size = 64M
                    innodb_log_file_size = 16M
                    innodb_flush_log_at_trx_commit = %3$d
                    innodb_flush_log_at_timeout = 2700
                    wsrep_on = ON
                    wsrep_provider = %4$s
                    wsrep_cluster_name = idgen
                    wsrep_cluster_address = gcomm://%5$s
                    wsrep_node_address = %6$s
                    wsrep_node_incoming_address = 127.0.0.1:%2$d
                    wsrep_sst_method = rsync
                    wsrep_sst_receive_address = 127.0.0.1:%7$d
                    wsrep_provider_options = "%8$s"
                    """.formatted(
                            folder,
                            port,
                            flushLogAtCommit,
                            PROVIDER,
                            members,
                            groupAddress(),
                            copyPort,
                            "gmcast.listen_addr=tcp://" + groupAddress() + ";ist.recv_addr=127.0.0.1:" + changesPort
                                    + ";gcache.size=16M;evs.keepalive_period=PT0.2S;evs.inactive_check_period=PT0.2S"
                                    + ";evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.install_timeout=PT4S"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates the files of a server with a user and no data. */
    void install(String firstStatements) {
        try {
            // without FLUSH PRIVILEGES, this server knows no users
            Path script = Files.writeString(folder.resolve("first.sql"), "FLUSH PRIVILEGES;\n" + firstStatements);
            run(
                    "mariadb-install-db",
                    "--no-defaults",
                    "--datadir=" + data,
                    "--skip-test-db",
                    "--auth-root-authentication-method=normal",
                    "--extra-file=" + script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a new group with this node as its only member. */
    void bootstrap() {
        startWith("--wsrep-new-cluster");
    }

    /** Starts a new group from a recovered position, as an administrator does with the most advanced node. */
    void bootstrap(Position position) {
        Path state = data.resolve("grastate.dat");
        try {
            Files.writeString(state, Files.readString(state).replace("safe_to_bootstrap: 0", "safe_to_bootstrap: 1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        startWith("--wsrep-new-cluster", "--wsrep-start-position=" + position);
    }

    /** Joins the group; returns when this node has caught up with it. */
    void start() {
        startWith();
    }

    /** Reads the position from the files of this node, which must be stopped. */
    Position recover() {
        Path found = folder.resolve("recovery.log");
        try {
            Files.deleteIfExists(found);
            run("mariadbd", "--defaults-file=" + settings, "--wsrep-recover", "--log-error=" + found);
            Matcher position = RECOVERED.matcher(Files.readString(found));
            if (!position.find()) {
                throw new IllegalStateException("no position in " + Files.readString(found));
            }
            return new Position(position.group(1), Long.parseLong(position.group(2)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void startWith(String... options) {
        try {
            List<String> command = new ArrayList<>(List.of("--defaults-file=" + settings));
            command.addAll(List.of(options));
            process = builder("mariadbd", command.toArray(String[]::new)).start();
            Program.await(process, log, STARTUP, this::isSynced);
        } catch (IOException e) {
            throw new IllegalStateException("mariadbd did not start; " + advice(), e);
        }
    }

    private void run(String program, String... options) throws IOException {
        Program.run(builder(program, options), log);
    }

    private ProcessBuilder builder(String program, String... options) {
        if (Files.notExists(PROVIDER)) {
            throw new IllegalStateException("there is no " + PROVIDER + "; " + advice());
        }
        List<String> command = Program.as(OWNER, OWNER, program);
        command.addAll(List.of(options));
        ProcessBuilder builder = Program.builder(command, folder, log);
        builder.environment().merge("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", (before, more) -> before + ":" + more);
        return builder;
    }

    private boolean isSynced() throws SQLException {
        return status("wsrep_local_state_comment").equals("Synced")
                && status("wsrep_ready").equals("ON");
    }

    /** Returns the status of the cluster and its size as this node sees them, and whether this node has caught up. */
    String view() {
        try {
            return address() + ": " + status("wsrep_cluster_status") + ", " + status("wsrep_cluster_size") + " nodes, "
                    + status("wsrep_local_state_comment");
        } catch (SQLException e) {
            return address() + ": " + e.getMessage();
        }
    }

    /** Returns a status variable. */
    String status(String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(""));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
            return row.next() ? row.getString(2) : "";
        }
    }

    /** Kills this node, as a power failure does, if it runs; returns when all its processes have ended. */
    void kill() {
        Process running = process;
        if (running != null) {
            Program.kill(running);
        }
    }

    /** Deletes the files of this node, which must be stopped. */
    void delete() {
        TemporaryFolder.delete(folder);
    }
}
