package io.idgen.jdbc.internal.connection;

import io.idgen.jdbc.internal.dialect.JdbcUrl;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The application's database. idgen looks for its tables there if no other database is configured. It opens connections
 * of its own, since the application's threads hold connections of their pool while they wait for ids. In this order:
 *
 * <ol>
 *   <li>to the URL in the application's settings, if there is no pool
 *   <li>as a copy of the application's HikariCP pool
 *   <li>to the URL that the driver reports, if the application's settings have the user and password
 *   <li>otherwise through the application's data source itself
 * </ol>
 *
 * <p>Opens nothing before {@link #open}, and then only on request.
 */
public final class ApplicationDatabase {
    private final @Nullable DataSource dataSource;
    private final @Nullable String url;
    private final @Nullable Properties login;
    private final @Nullable String schema;

    private ApplicationDatabase(
            @Nullable DataSource dataSource,
            @Nullable String url,
            @Nullable Properties login,
            @Nullable String schema) {
        this.dataSource = dataSource;
        this.url = url;
        this.login = login;
        this.schema = schema;
    }

    /**
     * The database of a URL.
     *
     * @param url the JDBC URL
     * @param user empty if the URL contains it, or none is needed
     * @param password empty if there is none
     */
    public static ApplicationDatabase at(String url, String user, String password) {
        return new ApplicationDatabase(null, url, UrlDataSource.login(user, password), null);
    }

    /** Creates an instance for a data source that the application's threads use. */
    public static ApplicationDatabase of(DataSource dataSource) {
        return new ApplicationDatabase(dataSource, null, null, null);
    }

    /**
     * Returns a copy with the URL that the driver reports. A reported URL with a password is ignored: it has the
     * password of an earlier connection, or one that the driver has masked.
     */
    public ApplicationDatabase seenAt(@Nullable String reportedUrl) {
        boolean counts = url == null && reportedUrl != null && !new JdbcUrl(reportedUrl).hasLogin();
        return new ApplicationDatabase(dataSource, counts ? reportedUrl : url, login, schema);
    }

    /** Returns a copy with the user and password that the application passes to the data source. */
    public ApplicationDatabase as(String user, String password) {
        return new ApplicationDatabase(dataSource, url, UrlDataSource.login(user, password), schema);
    }

    /**
     * Returns a copy with the schema of the application's connections, in case settings of its pool choose the schema.
     */
    public ApplicationDatabase inSchema(@Nullable String newSchema) {
        return new ApplicationDatabase(dataSource, url, login, newSchema);
    }

    /** The URL, as far as it is known without a connection. */
    public Optional<String> url() {
        return Optional.ofNullable(url);
    }

    /**
     * Creates the connections. Opens none.
     *
     * @param timeout how long to wait for a connection
     * @return the connections; close them after use
     */
    public OwnConnections open(Duration timeout) {
        Properties known = login == null ? new Properties() : login;
        DataSource lent = dataSource;
        if (lent == null) {
            return OwnConnections.to(url().orElseThrow(), known, schema, timeout);
        }
        return OwnConnections.copyOf(lent, timeout)
                .or(() -> url().filter(seen -> login != null || new JdbcUrl(seen).hasLogin())
                        .map(seen -> OwnConnections.to(seen, known, schema, timeout)))
                .orElseGet(() -> OwnConnections.lent(lent, timeout));
    }
}
