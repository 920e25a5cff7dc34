package io.idgen.jdbc.internal.connection;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.internal.dialect.JdbcUrl;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
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
 *   <li>to the URL of any other data source with its user and password, if both are known
 *   <li>otherwise through the application's data source itself
 * </ol>
 *
 * <p>Opens nothing before {@link #open}, and then only on request.
 */
public final class ApplicationDatabase {
    private final @Nullable PoolBean pool;
    private final @Nullable String url;
    private final @Nullable Properties login;
    private final @Nullable String schema;
    private volatile boolean hasNoPoolOfOne; // kept, because each source asks, and the answer needs reflection

    private ApplicationDatabase(
            @Nullable PoolBean pool, @Nullable String url, @Nullable Properties login, @Nullable String schema) {
        this.pool = pool;
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
        return new ApplicationDatabase(new PoolBean(dataSource), null, null, null);
    }

    /**
     * Returns a copy with the URL that the driver reports. It is used if the data source does not report its own URL. A
     * reported URL with a password is ignored: it has the password of an earlier connection, or one that the driver has
     * masked.
     */
    public ApplicationDatabase seenAt(@Nullable String reportedUrl) {
        boolean counts = url == null && reportedUrl != null && !new JdbcUrl(reportedUrl).hasLogin();
        return new ApplicationDatabase(pool, counts ? reportedUrl : url, login, schema);
    }

    /** Returns a copy with the user and password that the application passes to the data source. */
    public ApplicationDatabase as(String user, String password) {
        return new ApplicationDatabase(pool, url, UrlDataSource.login(user, password), schema);
    }

    /**
     * Returns a copy with the schema of the application's connections, in case settings of its pool choose the schema.
     */
    public ApplicationDatabase inSchema(@Nullable String newSchema) {
        return new ApplicationDatabase(pool, url, login, newSchema);
    }

    /** The URL, as far as it is known without a connection. */
    public Optional<String> url() {
        return Optional.ofNullable(pool).flatMap(PoolBean::url).or(() -> Optional.ofNullable(url));
    }

    /**
     * Rejects a pool of one connection if idgen can only use the pool itself. The thread that waits for an id may hold
     * that connection.
     *
     * @throws ConfigurationException if this is the case; the message says what to do
     */
    public void check() {
        if (hasNoPoolOfOne) {
            return;
        }
        if (pool == null || !pool.size().equals(OptionalInt.of(1))) {
            hasNoPoolOfOne = true;
        } else if (!OwnConnections.canCopy(pool) && ownUrl().isEmpty()) {
            throw new ConfigurationException(
                    ErrorCode.NO_DATABASE,
                    "the application's pool (" + pool
                            + ") has one connection, and the thread that waits for an id may hold it; "
                            + ApplicationPool.WAY_OUT);
        }
    }

    /**
     * Creates the connections. Opens none.
     *
     * @param timeout how long to wait for a connection
     * @return the connections; close them after use
     * @throws ConfigurationException as {@link #check} does
     */
    public OwnConnections open(Duration timeout) {
        check();
        return openOrLend(timeout);
    }

    /** Like {@link #open}, but a pool of one connection is allowed, because it may be for idgen alone. */
    public OwnConnections openOrLend(Duration timeout) {
        if (pool == null) {
            return OwnConnections.to(url().orElseThrow(), this::login, schema, timeout);
        }
        return OwnConnections.copyOf(pool, timeout)
                .or(() -> ownUrl().map(own -> OwnConnections.to(own, this::login, schema, timeout)))
                .orElseGet(() -> OwnConnections.lent(pool, timeout));
    }

    /** The URL, if user and password for it are known too. */
    private Optional<String> ownUrl() {
        return url().filter(known -> !new JdbcUrl(known).isMasked()
                && (new JdbcUrl(known).hasLogin()
                        || login != null
                        || (pool != null && pool.login().isPresent())));
    }

    /**
     * The user and password at the moment when a connection is opened: an application may change them while it runs.
     */
    private Properties login() {
        Properties all = new Properties();
        if (pool != null) {
            all.putAll(pool.driverProperties());
            pool.login().ifPresent(all::putAll);
        }
        if (login != null) {
            all.putAll(login);
        }
        return all;
    }
}
