package io.idgen.cli.compare.database;

import io.idgen.cli.common.BadInputException;
import io.idgen.jdbc.internal.connection.UrlDataSource;
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
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.h2.store.fs.FileUtils;
import org.jspecify.annotations.Nullable;

/**
 * The database of the comparison, and its tables. Their names begin with {@value #PREFIX}. {@link #close} drops them,
 * also when the process is terminated. No other table is touched.
 */
public final class Bench implements AutoCloseable {
    /** The prefix of all tables and sequences. */
    public static final String PREFIX = "idgen_compare_";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final UrlDataSource connections;
    private final @Nullable Path folder;
    private final Connection keeper; // without it, H2 closes an embedded database between two connections
    private final Product product;
    private final String description;
    private final boolean isEmbedded;
    private final Deque<String> made = new ArrayDeque<>(); // the newest first
    private final Thread atExit = new Thread(this::close, "idgen-compare-drop");
    private boolean closed;

    /**
     * Opens a database and creates idgen's tables.
     *
     * @param given the user's database; null for an H2 in a temporary folder
     */
    public Bench(@Nullable UrlDataSource given) {
        try {
            folder = given == null ? Files.createTempDirectory("idgen-compare") : null;
            connections =
                    given != null ? given : new UrlDataSource("jdbc:h2:file:" + folder + "/compare", "sa", "", TIMEOUT);
            keeper = connections.getConnection();
            product = Product.of(keeper);
            DatabaseMetaData facts = keeper.getMetaData();
            isEmbedded = product == Product.H2 && !facts.getURL().matches("(?i)jdbc:h2:(tcp|ssl):.*");
            description = facts.getDatabaseProductName() + " " + facts.getDatabaseProductVersion() + ", "
                    + (given == null ? "in a temporary folder" : given);
            refuseExisting(facts);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new BadInputException(
                    "cannot connect to the database (" + e.getMessage()
                            + "); check that the server runs, and check user and password",
                    e);
        }
        Runtime.getRuntime().addShutdownHook(atExit);
        Stream.of("counter", "worker").forEach(table -> drops("TABLE " + PREFIX + table));
        new IdgenSchema(connections).withPrefix(PREFIX).create();
    }

    private void refuseExisting(DatabaseMetaData database) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet tables = database.getTables(keeper.getCatalog(), null, "%", null)) {
            while (tables.next()) {
                String name = tables.getString("TABLE_NAME");
                if (name.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
                    found.add(name);
                }
            }
        }
        if (!found.isEmpty()) {
            throw new BadInputException(
                    "tables with the prefix " + PREFIX + " exist already: " + String.join(", ", found)
                            + "; drop them if an interrupted comparison left them, or use another database");
        }
    }

    /** Creates an object, which {@link #close} drops: its kind and name, and its definition. */
    public synchronized void make(String what, String definition) { // close() waits, and then drops it
        drops(what);
        execute("CREATE " + what + definition);
    }

    /** Has {@link #close} drop an object that somebody else creates. */
    public synchronized void drops(String what) {
        if (closed) {
            throw new IllegalStateException("the comparison has ended");
        }
        made.push(what);
    }

    /** Runs a statement that defines something. */
    public void execute(String sql) {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new BadInputException("the database rejects \"" + sql + "\" (" + e.getMessage() + ")", e);
        }
    }

    /** Returns new connections, without a pool. */
    public UrlDataSource connections() {
        return connections;
    }

    /** Returns whether the database runs in this process, without a network. */
    public boolean isEmbedded() {
        return isEmbedded;
    }

    /** Returns the database with its version. */
    public String description() {
        return description;
    }

    /** Returns the product. */
    public Product product() {
        return product;
    }

    /** Drops what was created. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        List<String> left = folder != null
                ? List.of() // it is deleted with its database
                : made.stream().filter(what -> !isDropped(what)).toList();
        if (!left.isEmpty()) {
            System.err.println("idgen: cannot drop the following, drop them yourself: " + String.join(", ", left));
        }
        try {
            keeper.close();
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException | SQLException e) {
            System.getLogger(Bench.class.getName()).log(System.Logger.Level.DEBUG, "the process ends already", e);
        }
        if (folder != null) {
            FileUtils.deleteRecursive(folder.toString(), true);
        }
    }

    private boolean isDropped(String what) {
        try {
            execute("DROP " + what.replaceFirst(" ", " IF EXISTS "));
            return true;
        } catch (BadInputException e) {
            System.getLogger(Bench.class.getName()).log(System.Logger.Level.DEBUG, "not dropped: " + what, e);
            return false;
        }
    }
}
