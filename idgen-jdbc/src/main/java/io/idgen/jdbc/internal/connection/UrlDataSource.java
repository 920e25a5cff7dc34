package io.idgen.jdbc.internal.connection;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A new connection for each request. A server that accepts and then says nothing is given up: the drivers that have timeouts
 * are told them unless the URL does, and the others' threads are left behind.
 */
public final class UrlDataSource extends PlainDataSource {
    private static final Pattern SECRET = Pattern.compile("(?i)password=([^&;]+)|[/:]([^/:@]+)@");

    private static final String OPTIONS = "options";

    // protocol violation, and feature not supported
    private static final Set<String> REFUSALS_OF_OPTIONS = Set.of("08P01", "0A000");

    private final String url;
    private final Properties credentials = new Properties();
    private final Duration timeout;
    private final Connector connector;

    /**
     * Connections to a URL. Opens none.
     *
     * @param url the driver's URL
     * @param user empty if the URL says it, or none is needed
     * @param password empty if there is none
     * @param timeout how long connecting may take
     */
    public UrlDataSource(String url, String user, String password, Duration timeout) {
        this.url = url;
        this.timeout = timeout;
        this.connector = new Connector(this::connect);
        limit(timeout);
        if (!user.isEmpty()) {
            credentials.setProperty("user", user);
            credentials.setProperty("password", password);
        }
    }

    /** The drivers' own words for how long connecting may take; what the URL says comes before it. */
    private void limit(Duration limit) {
        String millis = Long.toString(Math.min(limit.toMillis(), Integer.MAX_VALUE));
        String seconds = Long.toString(Math.max(1, limit.toSeconds()));
        if (isPostgreSql()) {
            // reading the answer to a login has no timeout but the one for reading anything
            credentials.setProperty("connectTimeout", seconds);
            credentials.setProperty("socketTimeout", seconds);
            // a network that swallows a statement swallows the request to cancel it too, and that one has ten seconds
            credentials.setProperty("cancelSignalTimeout", "1");
            // behind a pooler, what was prepared in one transaction may be another client's in the next
            credentials.setProperty("prepareThreshold", "0");
            // in milliseconds and by the server: sooner than the limit, of which the driver knows whole seconds alone
            credentials.setProperty(
                    OPTIONS,
                    "-c lock_timeout=" + Math.max(1, limit.toMillis() * 3 / 4)
                            + " -c default_transaction_isolation=read\\ committed");
        } else if (url.startsWith("jdbc:mariadb:") || url.startsWith("jdbc:mysql:")) {
            credentials.setProperty("connectTimeout", millis);
            credentials.setProperty("socketTimeout", millis);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return connector.connect(timeout);
    }

    boolean isPostgreSql() {
        return url.startsWith("jdbc:postgresql:");
    }

    /** What really connects. Drivers like to repeat the URL in their errors, with the password that may be in it. */
    private Connection connect() throws SQLException {
        try {
            return connectWithOptions();
        } catch (SQLException e) {
            SQLException safe = new SQLException(withoutSecrets(e), e.getSQLState(), e.getErrorCode());
            safe.setStackTrace(e.getStackTrace());
            throw safe;
        }
    }

    /** A pooler may refuse options of a session, as PgBouncer does: "unsupported startup parameter: options". */
    private Connection connectWithOptions() throws SQLException {
        boolean hadOptions = credentials.containsKey(OPTIONS);
        try {
            return DriverManager.getConnection(url, credentials);
        } catch (SQLException e) {
            if (!hadOptions || !REFUSALS_OF_OPTIONS.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
            credentials.remove(OPTIONS);
            return DriverManager.getConnection(url, credentials);
        }
    }

    private String withoutSecrets(SQLException e) {
        String message = String.valueOf(e.getMessage()).replace(url, withoutSecrets(url));
        Matcher matcher = SECRET.matcher(url);
        while (matcher.find()) {
            String secret = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            message = message.replace(secret, "***");
        }
        String password = credentials.getProperty("password", "");
        return password.isEmpty() ? message : message.replace(password, "***");
    }

    /**
     * A URL that can be shown: neither parameters nor what stands in front of the host, both of which may hold a password.
     *
     * @param url the driver's
     * @return its kind, and the host and name of the database
     */
    public static String withoutSecrets(String url) {
        return url.replaceAll("[?;].*", "").replaceAll("^(jdbc:[a-z0-9]+:(?:[a-z0-9]+:)?(?://)?)[^@]*@", "$1");
    }

    /** Whether no other process can open the database. */
    boolean isOwnedByThisProcess() {
        return EmbeddedDatabase.isOwnedByThisProcess(url);
    }

    @Override
    public String toString() {
        return "connections to " + withoutSecrets(url);
    }
}
