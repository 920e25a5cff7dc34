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

/**
 * Opens a new connection for each request. Drivers with timeouts of their own get a time limit as a connection
 * property; the URL takes precedence. A {@link Connector} limits the others.
 */
public final class UrlDataSource extends PlainDataSource {
    private final JdbcUrl url;
    private final Optional<Dialect> dialect;
    private final Properties login = new Properties();
    private final Duration timeout;
    private volatile boolean isSessionRefused;

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
        if (!user.isEmpty()) {
            login.setProperty("user", user);
            login.setProperty("password", password);
        }
    }

    /** Returns whether new connections are READ COMMITTED, or each transaction sets it. */
    boolean isReadCommitted() {
        return dialect.flatMap(Dialect::readCommittedTransaction).isPresent();
    }

    /** Connects. Removes passwords from the driver's errors, which often contain the URL. */
    @Override
    public Connection getConnection() throws SQLException {
        try {
            return connectWithOptions();
        } catch (SQLException e) {
            String message = url.removedFrom(String.valueOf(e.getMessage()), login.getProperty("password", ""));
            throw ConnectionRefusal.without(e, message);
        }
    }

    /** Connects again without session properties if the server or a pooler rejects them, as PgBouncer does. */
    private Connection connectWithOptions() throws SQLException {
        boolean hasSession = !isSessionRefused;
        Properties properties = new Properties();
        dialect.ifPresent(known -> {
            properties.putAll(known.connectionProperties(timeout));
            properties.putAll(hasSession ? known.sessionProperties(timeout) : Map.of());
        });
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

    @Override
    public String toString() {
        return "connections to " + url;
    }
}
