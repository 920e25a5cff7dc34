package io.idgen.jdbc.internal.connection;

import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.dialect.Dialects;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens a new connection for each request, within a time limit. Drivers with timeouts of their own get this limit as a
 * connection property; the URL takes precedence. The threads of other drivers are abandoned if a server accepts the
 * connection and then sends nothing.
 */
public final class UrlDataSource extends PlainDataSource {
    private static final Pattern SECRET = Pattern.compile("(?i)password=([^&;]+)|[/:]([^/:@]+)@");

    private final String url;
    private final Optional<Dialect> dialect;
    private final Properties properties = new Properties();
    private final Set<String> refusable;
    private final Duration timeout;
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
        this.url = url;
        this.dialect = Dialects.ofUrl(url);
        this.timeout = timeout;
        this.connector = new Connector(this::connect);
        Map<String, String> session =
                dialect.map(known -> known.sessionProperties(timeout)).orElse(Map.of());
        this.refusable = session.keySet();
        properties.putAll(session);
        dialect.ifPresent(known -> properties.putAll(known.connectionProperties(timeout)));
        if (!user.isEmpty()) {
            properties.setProperty("user", user);
            properties.setProperty("password", password);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return connector.connect(timeout);
    }

    /** Returns whether new connections are READ COMMITTED, or each transaction sets it. */
    boolean isReadCommitted() {
        return dialect.flatMap(Dialect::readCommittedTransaction).isPresent();
    }

    /**
     * Returns whether a connection is broken although the SQL state of its error does not show it.
     *
     * @param e the driver's exception
     * @return true if a pool must not keep the connection
     */
    public boolean isBroken(SQLException e) {
        return dialect.filter(known -> known.isBrokenConnection(e)).isPresent();
    }

    /** Connects. Removes passwords from the driver's errors, which often contain the URL. */
    private Connection connect() throws SQLException {
        try {
            return connectWithOptions();
        } catch (SQLException e) {
            SQLException safe = new SQLException(withoutSecrets(e), e.getSQLState(), e.getErrorCode());
            safe.setStackTrace(e.getStackTrace());
            throw safe;
        }
    }

    /** Connects again without session properties if the server or a pooler rejects them, as PgBouncer does. */
    private Connection connectWithOptions() throws SQLException {
        boolean hadAll = properties.keySet().containsAll(refusable);
        try {
            return DriverManager.getConnection(url, properties);
        } catch (SQLException e) {
            if (!hadAll
                    || dialect.filter(known -> known.refusesSessionProperties(e))
                            .isEmpty()) {
                throw e;
            }
            properties.keySet().removeAll(refusable);
            return DriverManager.getConnection(url, properties);
        }
    }

    private String withoutSecrets(SQLException e) {
        String message = String.valueOf(e.getMessage()).replace(url, withoutSecrets(url));
        Matcher matcher = SECRET.matcher(url);
        while (matcher.find()) {
            String secret = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            message = message.replace(secret, "***");
        }
        String password = properties.getProperty("password", "");
        return password.isEmpty() ? message : message.replace(password, "***");
    }

    /**
     * Returns a URL without its parameters and without credentials before the host; both may contain a password.
     *
     * @param url the JDBC URL
     * @return the kind of URL, the host and the name of the database
     */
    public static String withoutSecrets(String url) {
        return url.replaceAll("[?;].*", "").replaceAll("^(jdbc:[a-z0-9]+:(?:[a-z0-9]+:)?(?://)?)[^@]*@", "$1");
    }

    /** Returns whether no other process can open the database. */
    boolean isOwnedByThisProcess() {
        return EmbeddedDatabase.isOwnedByThisProcess(url);
    }

    @Override
    public String toString() {
        return "connections to " + withoutSecrets(url);
    }
}
