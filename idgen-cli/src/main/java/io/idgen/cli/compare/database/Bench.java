package io.idgen.cli.compare.database;

import io.idgen.cli.common.BadInputException;
import io.idgen.jdbc.internal.connection.UrlDataSource;
import io.idgen.jdbc.internal.dialect.JdbcUrl;
import io.idgen.jdbc.schema.IdgenSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.h2.store.fs.FileUtils;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;

/**
 * The database of the comparison, and its tables. The names of all tables begin with the comparison's own prefix. This
 * class creates them and {@link #close} drops them, also when the process is terminated. It touches no other table.
 */
public final class Bench implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int DROP_ATTEMPTS = 5;

    private final Access access;
    private final String prefix;
    private final Product product;
    private final Facts facts;
    private final @Nullable Server server;
    private final @Nullable Path folder;
    private final Optional<ProcessHandle> serverProcess;
    private final List<CountingPool> pools = new ArrayList<>();
    private final Deque<String> made = new ArrayDeque<>(); // names for DROP, with their kind
    private final Thread atExit = new Thread(this::close, "idgen-compare-drop");
    private boolean closed;

    /**
     * A database and its credentials.
     *
     * @param url the JDBC URL, which may contain a password
     * @param shownUrl the URL without secrets
     */
    public record Access(String url, String shownUrl, String user, String password) {

        /** Returns a data source that opens a new connection for each request. */
        public UrlDataSource connections() {
            return new UrlDataSource(url, user, password, TIMEOUT);
        }

        /** Returns a copy with another URL of the same database. */
        public Access by(String otherUrl) {
            return new Access(otherUrl, new JdbcUrl(otherUrl).toString(), user, password);
        }
    }

    /** The names and versions of the database and its driver. */
    public record Facts(String product, String version, String driver) {}

    private Bench(
            Access access,
            String prefix,
            Product product,
            Facts facts,
            @Nullable Server server,
            @Nullable Path folder,
            Optional<ProcessHandle> serverProcess) {
        this.access = access;
        this.prefix = prefix;
        this.product = product;
        this.facts = facts;
        this.server = server;
        this.folder = folder;
        this.serverProcess = serverProcess;
    }

    /**
     * Opens an H2 database in a temporary folder, in this process. A TCP server makes it available to other processes.
     */
    public static Bench embedded(String prefix) {
        try {
            Path folder = Files.createTempDirectory("idgen-compare");
            // keeps the database open until close(), without H2's own shutdown hook
            String url = "jdbc:h2:file:" + folder.resolve("compare") + ";DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE";
            return onH2(new Access(url, "jdbc:h2:file in a temporary folder", "sa", ""), prefix, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens the user's database. */
    public static Bench on(Access access, String prefix) {
        return access.url().toLowerCase(Locale.ROOT).matches("jdbc:h2:(?!tcp:|ssl:).*")
                ? onH2(access, prefix, null)
                : open(access, prefix, null, null);
    }

    private static Bench onH2(Access access, String prefix, @Nullable Path folder) {
        try {
            Server server =
                    Server.createTcpServer("-tcpPort", "0", "-tcpDaemon").start();
            return open(access, prefix, server, folder);
        } catch (SQLException e) {
            throw new BadInputException("cannot start H2's server (" + e.getMessage() + ")", e);
        }
    }

    private static Bench open(Access access, String prefix, @Nullable Server server, @Nullable Path folder) {
        try (Connection connection = access.connections().getConnection()) {
            DatabaseMetaData database = connection.getMetaData();
            refuseExisting(connection, prefix);
            return new Bench(
                    access,
                    prefix,
                    Product.of(connection),
                    new Facts(
                            database.getDatabaseProductName(),
                            database.getDatabaseProductVersion(),
                            database.getDriverName() + " " + database.getDriverVersion()),
                    server,
                    folder,
                    isLocal(access.url()) ? Product.of(connection).serverProcess(connection) : Optional.empty());
        } catch (SQLException e) {
            throw new BadInputException(
                    "cannot connect to " + access.shownUrl() + " (" + e.getMessage()
                            + "); check that the server runs, and check user and password",
                    e);
        }
    }

    private static boolean isLocal(String url) {
        return url.matches("(?i)[^/]*//(localhost|127\\.[0-9.]+|\\[::1])([:/?;,].*)?");
    }

    private static void refuseExisting(Connection connection, String prefix) throws SQLException {
        List<String> found = new ArrayList<>();
        DatabaseMetaData database = connection.getMetaData();
        try (ResultSet tables = database.getTables(connection.getCatalog(), null, "%", null)) {
            while (tables.next()) {
                String name = tables.getString("TABLE_NAME");
                if (name.toLowerCase(Locale.ROOT).startsWith(prefix)) {
                    found.add(name);
                }
            }
        }
        if (!found.isEmpty()) {
            throw new BadInputException("tables with the prefix " + prefix + " exist already: "
                    + String.join(", ", found)
                    + "; the comparison does not touch them: choose another --prefix, or drop them if an earlier comparison left"
                    + " them");
        }
    }

    /** Creates idgen's own tables. From then on, {@link #close} or the shutdown hook drops what this class created. */
    public void create() {
        Runtime.getRuntime().addShutdownHook(atExit);
        IdgenSchema schema = new IdgenSchema(access.connections()).withPrefix(prefix);
        Stream.of("segment", "sequence", "stepped", "worker").forEach(table -> made.push("TABLE " + prefix + table));
        schema.create();
    }

    /** Creates an object; {@link #close} drops it. */
    public synchronized void make(String what, String definition) {
        if (closed) {
            throw new IllegalStateException("the comparison has ended");
        }
        made.push(what);
        execute("CREATE " + what + definition);
    }

    /** Drops an object that {@link #make} created. */
    public synchronized void drop(String what) {
        if (!closed) {
            execute("DROP " + what);
            made.remove(what);
        }
    }

    private void execute(String sql) {
        try {
            executeOnce(sql);
        } catch (SQLException e) {
            throw new BadInputException("the database rejects \"" + sql + "\" (" + e.getMessage() + ")", e);
        }
    }

    private void executeOnce(String sql) throws SQLException {
        try (Connection connection = access.connections().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Creates a pool. */
    public CountingPool pool(int size, Map<String, String> settings) {
        return pool(access, size, settings);
    }

    /** Creates a pool with another access to the database; {@link #close} closes it. */
    public synchronized CountingPool pool(Access other, int size, Map<String, String> settings) {
        CountingPool pool = new CountingPool(other.connections(), size, prefix, settings(prefix, settings));
        pools.add(pool);
        return pool;
    }

    /**
     * Returns the settings of all sources. They name only the comparison's own tables, independent of the environment.
     */
    public static Map<String, String> settings(String prefix, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "idgen.jdbc.table-prefix",
                prefix,
                "idgen.jdbc.initialize-schema",
                "never",
                "idgen.segment.table",
                prefix + "segment"));
        settings.putAll(more);
        return settings;
    }

    /** Returns the access for other processes. An embedded H2 is reached by its server. */
    public Access shared() {
        Server own = server;
        if (own == null) {
            return access;
        }
        String path = access.url().substring("jdbc:h2:".length()).replaceFirst(";.*", "");
        return access.by("jdbc:h2:tcp://localhost:" + own.getPort() + "/" + path.replaceFirst("^file:", ""));
    }

    /** Returns the process of the database, if it runs on this machine, but not in this process. */
    public Optional<ProcessHandle> serverProcess() {
        return serverProcess;
    }

    /**
     * Returns whether the database runs on this machine in a process that is not visible, for example in a container.
     */
    public boolean isServerHidden() {
        return isLocal(access.url()) && serverProcess.isEmpty();
    }

    /** Returns whether the database runs in this process. */
    public boolean isInProcess() {
        return server != null;
    }

    /** Returns the names and versions for the report. */
    public Facts facts() {
        return facts;
    }

    public String shownUrl() {
        return access.shownUrl();
    }

    public String prefix() {
        return prefix;
    }

    public Product product() {
        return product;
    }

    /** Closes all pools, and drops what was created, in reverse order. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        pools.forEach(CountingPool::close);
        List<String> left = new ArrayList<>();
        for (String what : made) {
            if (!dropped(what)) {
                left.add(what);
            }
        }
        if (!left.isEmpty()) {
            System.err.println("idgen: cannot drop the following, drop them yourself: " + String.join(", ", left));
        }
        Optional.ofNullable(server).ifPresent(Server::stop);
        Optional.ofNullable(folder).ifPresent(this::delete);
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the shutdown hook itself runs this method
        }
    }

    /** Retries, because work that was interrupted by the termination of the process may still hold locks. */
    private boolean dropped(String what) {
        for (int attempt = 1; attempt <= DROP_ATTEMPTS; attempt++) {
            try {
                executeOnce("DROP " + what.replaceFirst("(TABLE|SEQUENCE) ", "$1 IF EXISTS "));
                return true;
            } catch (SQLException e) {
                System.getLogger(Bench.class.getName()).log(System.Logger.Level.DEBUG, "not yet dropped: " + what, e);
            }
        }
        return false;
    }

    private void delete(Path folder) {
        try {
            executeOnce("SHUTDOWN");
        } catch (SQLException e) {
            System.getLogger(Bench.class.getName()).log(System.Logger.Level.DEBUG, "H2 is shut down already", e);
        }
        FileUtils.deleteRecursive(folder.toString(), true);
    }
}
