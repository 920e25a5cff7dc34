package io.idgen.jdbc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A MySQL server on a free port and in a temporary folder. Both stay the same after a restart. It ends with this
 * process. The server's programs are in the folder that the environment variable {@value #HOME_VARIABLE} names; {@code
 * .ci/mysql} prints one.
 */
final class EmbeddedMySql implements ReplicableServer {
    static final String HOME_VARIABLE = "IDGEN_MYSQL_HOME";
    static final String USER = "idgen_test";
    static final String PASSWORD = "mysql-secret";

    private static final String NAME = "idgen-mysql";
    private static final int NOT_SUPERVISED = 3707;
    private static final Duration STARTUP = Duration.ofMinutes(3); // recovery takes longer than a start

    /** Each server creates its user itself. A replica that wrote this to its binary log would diverge. */
    private static final String FIRST_STATEMENTS = """
            SET SESSION sql_log_bin = 0;
            CREATE USER IF NOT EXISTS '%1$s'@'%%' IDENTIFIED BY '%2$s';
            GRANT ALL PRIVILEGES ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;
            """.formatted(USER, PASSWORD);

    private final Path folder;
    private final Path data;
    private final Path log;
    private int port = FreePort.find();
    private final List<String> command = new ArrayList<>();
    private @Nullable Process process;

    /** Creates an empty server. */
    EmbeddedMySql(String... options) {
        this(TemporaryFolder.create(NAME), null, options);
    }

    /** Creates an empty server with its files in memory. Tests must not kill it. */
    static EmbeddedMySql inMemory(String... options) {
        return new EmbeddedMySql(TemporaryFolder.createInMemory(NAME), null, options);
    }

    private EmbeddedMySql(Path folder, @Nullable Path original, String... options) {
        this.folder = folder;
        data = folder.resolve("data");
        log = folder.resolve("log");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop();
            delete();
        }));
        try {
            command.addAll(List.of(
                    executable().toString(),
                    "--no-defaults",
                    "--datadir=" + data,
                    "--tmpdir=" + Files.createDirectory(folder.resolve("tmp")),
                    "--secure-file-priv=",
                    "--port=" + port,
                    "--socket=" + folder.resolve("socket"),
                    "--pid-file=" + folder.resolve("pid"),
                    "--bind-address=127.0.0.1",
                    "--skip-name-resolve",
                    "--mysqlx=OFF",
                    "--max-connections=500",
                    "--innodb-buffer-pool-size=64M",
                    "--innodb-redo-log-capacity=64M"));
            if (System.getProperty("user.name").equals("root")) {
                command.add("--user=root"); // otherwise it refuses to start as root
            }
            command.addAll(List.of(options));
            if (original == null) {
                Program.run(program("--initialize-insecure"), log);
            } else {
                TemporaryFolder.copy(original, data);
            }
            command.add("--init-file=" + Files.writeString(folder.resolve("init.sql"), FIRST_STATEMENTS));
        } catch (IOException e) {
            throw new IllegalStateException("the server of MySQL could not be set up", e);
        }
    }

    /** Lets the server execute one more statement whenever it starts, before it accepts connections. */
    void atStart(String statement) throws IOException {
        Files.writeString(folder.resolve("init.sql"), statement + ";\n", StandardOpenOption.APPEND);
    }

    private static Path executable() {
        String home = System.getenv(HOME_VARIABLE);
        if (home == null) {
            throw new IllegalStateException(
                    "no server of MySQL: set it by export " + HOME_VARIABLE + "=$(.ci/mysql) before you run Maven");
        }
        return Path.of(home, "bin", "mysqld");
    }

    private ProcessBuilder program(String... more) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(more));
        return Program.builder(all, folder, log);
    }

    /** Creates a server with a copy of a stopped server's data folder, as it is. */
    static EmbeddedMySql of(Path dataFolder, String... options) {
        return new EmbeddedMySql(TemporaryFolder.create(NAME), dataFolder, options);
    }

    Path data() {
        return data;
    }

    @Override
    public EmbeddedMySql copy(String... options) {
        EmbeddedMySql copy = of(data, options);
        TemporaryFolder.deleteFiles(copy.data, "auto.cnf", "bin.*", ".*relay-bin.*");
        return copy;
    }

    /** Clones the other server. Afterwards this one shuts down, because nothing supervises it. */
    @Override
    public void rebuildFrom(ReplicableServer primary) {
        Process running = Objects.requireNonNull(process);
        try (Connection connection = DriverManager.getConnection(url("mysql"))) {
            Sql.execute(connection, "SET GLOBAL clone_valid_donor_list = '127.0.0.1:" + primary.port() + "'");
            Sql.execute(
                    connection,
                    "CLONE INSTANCE FROM '" + USER + "'@'127.0.0.1':" + primary.port() + " IDENTIFIED BY '" + PASSWORD
                            + "'");
        } catch (SQLException e) {
            if (e.getErrorCode() != NOT_SUPERVISED) {
                throw new IllegalStateException("the clone fails: " + e.getMessage(), e);
            }
        }
        running.onExit().join();
        start();
    }

    @Override
    public int port() {
        return port;
    }

    /** The last of two options with the same name takes effect. */
    @Override
    public void moveTo(int newPort) {
        command.add("--port=" + newPort);
        port = newPort;
    }

    @Override
    public String url(String database) {
        return "jdbc:mysql://localhost:" + port + "/" + database
                + "?sslMode=DISABLED&allowPublicKeyRetrieval=true&user=" + USER + "&password=" + PASSWORD;
    }

    @Override
    public void start() {
        try {
            process = program().start();
            Program.await(process, log, STARTUP, this::answers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the server's own messages. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean answers() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("mysql"))) {
            return connection.isValid(1);
        }
    }

    @Override
    public void stop() {
        Process running = process;
        if (running != null && running.isAlive()) { // its number may be reused
            running.destroy();
            running.onExit().join();
        }
    }

    @Override
    public long pid() {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException("it does not run");
        }
        return running.pid();
    }

    @Override
    public void delete() {
        TemporaryFolder.delete(folder);
    }
}
