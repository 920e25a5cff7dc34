package io.idgen.jdbc.internal.strategy;

import io.idgen.core.config.SourceContext;
import io.idgen.core.segment.RefillThreads;
import io.idgen.jdbc.internal.connection.ApplicationDatabase;
import io.idgen.jdbc.internal.connection.OwnConnections;
import io.idgen.jdbc.internal.connection.SchemaFirst;
import io.idgen.jdbc.schema.IdgenSchema;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/**
 * The shared access of all sources to one database: its connections, the threads that use them, and the creation of
 * missing tables. Opens nothing before the first refill.
 */
final class JdbcAccess extends SchemaFirst implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(JdbcAccess.class.getName());

    private final OwnConnections connections;
    private final JdbcSettings.Tables tables;
    private final RefillThreads refills = new RefillThreads("idgen-refill", OwnConnections.MOST);
    private volatile boolean schemaIsThere;
    private boolean isLogged;

    private JdbcAccess(OwnConnections connections, JdbcSettings.Tables tables) {
        super(connections.dataSource());
        this.connections = connections;
        this.tables = tables;
    }

    /**
     * The access to a source's database. In this order: a DataSource that was passed or named for idgen, a URL, the
     * application's database.
     *
     * @throws io.idgen.core.ConfigurationException if the source has no database
     */
    static JdbcAccess of(SourceContext context) {
        JdbcSettings.check(context);
        Duration timeout = context.get(JdbcSettings.TIMEOUT);
        Optional<DataSource> own = context.resource(DataSource.class)
                .or(() -> context.find(JdbcSettings.DATA_SOURCE).map(name -> lookUp(context, name)));
        if (own.isPresent()) {
            DataSource dataSource = own.get();
            return of(context, List.of(dataSource, timeout), () -> OwnConnections.of(dataSource, timeout));
        }
        Optional<String> url = context.find(JdbcSettings.URL);
        if (url.isPresent()) {
            return of(
                    context,
                    url.get(),
                    context.find(JdbcSettings.USER).orElse(""),
                    context.find(JdbcSettings.PASSWORD).orElse(""),
                    timeout);
        }
        ApplicationDatabase application =
                context.resource(ApplicationDatabase.class).orElseThrow();
        return of(context, List.of(application, timeout), () -> application.open(timeout));
    }

    /**
     * The database of the application, which has the tables of the entities, if idgen's tables are in another one. Not
     * if both are known to have the same URL: then idgen needs no further connections.
     */
    static Optional<DataSource> ofEntities(SourceContext context) {
        Duration timeout = context.get(JdbcSettings.TIMEOUT);
        return context.resource(ApplicationDatabase.class)
                .filter(application -> JdbcSettings.hasOwn(context)
                        && (!JdbcSettings.isNamed(context)
                                || context.find(JdbcSettings.URL).isEmpty()
                                || !context.find(JdbcSettings.URL).equals(application.url())))
                .map(application -> context.shared(List.of(application, timeout), () -> application.open(timeout))
                        .dataSource());
    }

    /** The access to a URL; {@code timeout} limits how long connecting may take. */
    static JdbcAccess of(SourceContext context, String url, String user, String password, Duration timeout) {
        return of(
                context, List.of(url, user, password, timeout), () -> OwnConnections.to(url, user, password, timeout));
    }

    /** Sources with an equal key share connections, and the access with equal tables. */
    private static JdbcAccess of(SourceContext context, List<Object> key, Supplier<OwnConnections> opener) {
        JdbcSettings.Tables tables = JdbcSettings.Tables.of(context);
        OwnConnections connections = context.shared(key, opener);
        return context.shared(List.of(key, tables), () -> new JdbcAccess(connections, tables));
    }

    @SuppressWarnings("BanJNDI") // the name is from the configuration, not from a user
    private static DataSource lookUp(SourceContext context, String name) {
        try {
            if (InitialContext.doLookup(name) instanceof DataSource dataSource) {
                return dataSource;
            }
            throw context.refusal(JdbcSettings.DATA_SOURCE, "'" + name + "' is not a DataSource");
        } catch (NamingException e) {
            throw context.refusal(JdbcSettings.DATA_SOURCE, "there is no '" + name + "' in JNDI: " + e);
        }
    }

    /** The threads that fetch ids. The first use logs where the ids come from. */
    synchronized RefillThreads refills() {
        if (!isLogged) {
            isLogged = true;
            LOG.log(
                    System.Logger.Level.INFO,
                    "ids come from tables through " + connections + ", with at most " + OwnConnections.MOST
                            + " additional connections in this process");
            if (tables.createsDeletedRows()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        JdbcSettings.DELETED_ROWS
                                + "=create is for tests: if a counter is lost in production, ids repeat");
            }
        }
        return refills;
    }

    /**
     * The full name of one of idgen's tables.
     *
     * @param name the name without the prefix
     */
    String table(String name) {
        return tables.prefix() + name;
    }

    @Override
    public synchronized void ensure() {
        if (schemaIsThere) {
            return;
        }
        if (tables.initialize() == JdbcSettings.Initialize.ALWAYS
                || (tables.initialize() == JdbcSettings.Initialize.EMBEDDED && isEmbedded())) {
            new IdgenSchema(dataSource()).withPrefix(tables.prefix()).create();
        }
        schemaIsThere = true;
    }

    @Override
    public void forget() {
        schemaIsThere = false;
    }

    @Override
    public boolean mayLoseRows() {
        return tables.createsDeletedRows() || isEmbedded();
    }

    private boolean isEmbedded() {
        return connections.isOwnedByThisProcess().orElseGet(new IdgenSchema(dataSource())::isInMemory);
    }

    @Override
    public void close() {
        refills.close();
    }
}
