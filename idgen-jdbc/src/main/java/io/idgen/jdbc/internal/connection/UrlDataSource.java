package io.idgen.jdbc.internal.connection;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.internal.dialect.JdbcUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.UnaryOperator;

/**
 * Opens a new connection for each request, within a time limit. Drivers with timeouts of their own get this limit as a
 * connection property; the URL takes precedence. The threads of other drivers are abandoned if a server accepts the
 * connection and then sends nothing.
 */
public final class UrlDataSource extends PlainDataSource {
    private final JdbcUrl url;
    private final Optional<Dialect> dialect;
    private final Properties defaults = new Properties();
    private final Map<String, String> session;
    private final Properties login = new Properties();
    private final Duration timeout;
    private volatile boolean isSessionRefused;
    private final Connector connector;

    /**
     * Creates a data source. Opens no connection.
     *
     * @param url the JDBC URL
     * @param user empty if the URL contains it, or none is needed
     * @param password empty if there is none
     * @param timeout how long connecting may take
     */
    public UrlDataSource(String url, String user, String password, Duration timeout) {
        this.url = new JdbcUrl(url);
        this.dialect = Dialects.ofUrl(url);
        this.timeout = timeout;
        this.connector = new Connector(this::connect);
        this.session = dialect.map(known -> known.sessionProperties(timeout)).orElse(Map.of());
        if (!user.isEmpty()) {
            login.setProperty("user", user);
            login.setProperty("password", password);
        }
        dialect.ifPresent(known -> defaults.putAll(known.connectionProperties(timeout)));
    }

    /**
     * Creates a data source that opens a database only if it exists, even if its driver would create it. Opens no
     * connection. A database in memory exists from its first connection on.
     *
     * @param url the JDBC URL
     * @param user empty if the URL contains it, or none is needed
     * @param password empty if there is none
     * @param timeout how long connecting may take
     * @return a data source
     */
    public static UrlDataSource ofExisting(String url, String user, String password, Duration timeout) {
        String existing = EmbeddedDatabase.isInMemory(url)
                ? url
                : Dialects.ofUrl(url).map(known -> known.ofExisting(url)).orElse(url);
        return new UrlDataSource(existing, user, password, timeout);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return connector.connect(timeout);
    }

    /** Returns whether new connections are READ COMMITTED, or each transaction sets it. */
    boolean isReadCommitted() {
        return dialect.flatMap(Dialect::readCommittedTransaction).isPresent();
    }

    /** Connects. Removes passwords from the driver's errors, which often contain the URL. */
    private Connection connect() throws SQLException {
        try {
            return connectWithOptions();
        } catch (SQLException e) {
            UnaryOperator<String> clean = text -> url.removedFrom(text, login.getProperty("password", ""));
            SQLException safe = new SQLException(
                    ConnectionRefusal.advised(clean.apply(String.valueOf(e.getMessage()))),
                    e.getSQLState(),
                    e.getErrorCode(),
                    ConnectionRefusal.byNetwork(e, clean));
            safe.setStackTrace(e.getStackTrace());
            throw safe;
        }
    }

    /** Connects again without session properties if the server or a pooler rejects them, as PgBouncer does. */
    private Connection connectWithOptions() throws SQLException {
        Properties properties = new Properties();
        properties.putAll(defaults);
        boolean hasSession = !isSessionRefused;
        if (hasSession) {
            properties.putAll(session);
        }
        properties.putAll(login);
        try {
            return DriverManager.getConnection(url.url(), properties);
        } catch (SQLException e) {
            if (!hasSession
                    || dialect.filter(known -> known.refusesSessionProperties(e))
                            .isEmpty()) {
                throw e;
            }
            isSessionRefused = true;
            return connectWithOptions();
        }
    }

    /** Returns whether no other process can open the database. */
    boolean isOwnedByThisProcess() {
        return EmbeddedDatabase.isOwnedByThisProcess(url.url());
    }

    @Override
    public String toString() {
        return "connections to " + url;
    }
}
