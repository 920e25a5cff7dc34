package io.idgen.jdbc.internal;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.SegmentIdSource;
import io.idgen.core.Setting;
import io.idgen.core.SourceContext;
import io.idgen.jdbc.IdgenSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import javax.sql.DataSource;

/**
 * What the table-backed sources of one application share: where connections come from, the threads that use them, and whether
 * the tables are there. Nothing is opened before the first refill.
 */
final class JdbcAccess implements AutoCloseable {
    static final Setting<String> URL = Setting.<String>of(
            "jdbc.url", "The database of idgen's tables, if no DataSource is handed in.", text -> text);
    static final Setting<String> USER = Setting.<String>of("jdbc.user", "The user for idgen.jdbc.url.", text -> text);
    static final Setting<String> PASSWORD = Setting.<String>of(
                    "jdbc.password", "The password for idgen.jdbc.url.", text -> text)
            .orElse("");
    static final Setting<Duration> TIMEOUT = Setting.<Duration>of(
                    "jdbc.timeout",
                    "How long the database may take to answer a statement of idgen.",
                    Setting.duration(Duration.ofMillis(1), Duration.ofDays(1)))
            .orElse("5s");
    static final Setting<Initialize> INITIALIZE = Setting.of(
                    "jdbc.initialize-schema",
                    "On which databases idgen makes its missing tables itself: never, embedded or always.",
                    Initialize::parse)
            .orElse("embedded");

    static final List<Setting<?>> SETTINGS = List.of(URL, USER, PASSWORD, TIMEOUT, INITIALIZE);

    private static final System.Logger LOG = System.getLogger(JdbcAccess.class.getName());

    // So many connections at once, however many sources there are.
    private static final int REFILL_THREADS = 2;

    private final DataSource dataSource;
    private final Initialize initialize;
    private final ScheduledExecutorService refills = SegmentIdSource.refillThreads("idgen-refill", REFILL_THREADS);
    private boolean schemaIsThere;

    /** On which databases missing tables are made. */
    enum Initialize {
        NEVER,
        EMBEDDED,
        ALWAYS;

        static Initialize parse(String text) {
            return switch (text.strip()) {
                case "never" -> NEVER;
                case "embedded" -> EMBEDDED;
                case "always" -> ALWAYS;
                default ->
                    throw new IllegalArgumentException("never, embedded or always is expected, got '" + text + "'");
            };
        }
    }

    private JdbcAccess(DataSource dataSource, Initialize initialize) {
        this.dataSource = dataSource;
        this.initialize = initialize;
        LOG.log(
                System.Logger.Level.INFO,
                "refills use {0}: at most {1} more connections in this process",
                dataSource,
                REFILL_THREADS);
    }

    /** Refuses a source that has no database. */
    static void check(SourceContext context) {
        if (database(context).isEmpty()) {
            throw new ConfigurationException(
                    ErrorCode.NO_DATABASE,
                    "source '" + context.name()
                            + "' needs a database; hand a DataSource of its own to IdSources (to"
                            + " Hibernate as idgen.jdbc.data-source), or set " + URL);
        }
    }

    /** The one of this source's application and database. */
    static JdbcAccess of(SourceContext context) {
        record Key(Object database, Initialize initialize) {}
        Initialize initialize = context.get(INITIALIZE);
        Object database = database(context).orElseThrow();
        return context.shared(
                new Key(database, initialize),
                () -> new JdbcAccess(
                        database instanceof DataSource handedIn ? handedIn : ((Url) database).open(), initialize));
    }

    /** A DataSource that was handed in for idgen, else a URL, else the database that the application's own data is in. */
    private static Optional<Object> database(SourceContext context) {
        Optional<Object> own = context.resource(DataSource.class).map(Object.class::cast);
        return own.or(() -> context.find(URL)
                        .map(url -> new Url(
                                url,
                                context.find(USER).orElse(""),
                                context.find(PASSWORD).orElse(""))))
                .or(() -> context.resource(ApplicationDatabase.class).map(ApplicationDatabase::dataSource));
    }

    /** A database named by settings; equal ones share their connections. */
    private record Url(String url, String user, String password) {
        DataSource open() {
            return new UrlDataSource(url, user, password);
        }
    }

    DataSource dataSource() {
        return dataSource;
    }

    ScheduledExecutorService refills() {
        return refills;
    }

    /** Makes the tables once, where the setting says so. Called on a refill thread. */
    synchronized void ensureSchema() {
        if (schemaIsThere) {
            return;
        }
        if (initialize == Initialize.ALWAYS || (initialize == Initialize.EMBEDDED && isEmbedded())) {
            new IdgenSchema(dataSource).create();
        }
        schemaIsThere = true;
    }

    private boolean isEmbedded() {
        if (dataSource instanceof UrlDataSource byUrl) {
            return byUrl.isOwnedByThisProcess();
        }
        try (Connection connection = dataSource.getConnection()) {
            String url = connection.getMetaData().getURL();
            return url != null && EmbeddedDatabase.isInMemory(url);
        } catch (SQLException e) {
            throw new AllocationException(
                    ErrorCode.DATABASE_FAILED, "looking at the database failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        refills.shutdown();
    }
}
