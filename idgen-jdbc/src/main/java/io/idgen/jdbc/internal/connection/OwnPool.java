package io.idgen.jdbc.internal.connection;

import com.zaxxer.hikari.HikariCredentialsProvider;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.util.Credentials;
import com.zaxxer.hikari.util.DriverDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A small HikariCP pool of idgen's own, to a URL or with the settings of the application's pool. A thread that holds a
 * connection of the application and waits for an id must not wait for a second connection of the same pool. The pool
 * connects on first use, and keeps no idle connection for more than a minute.
 *
 * <p>An outage costs no line of HikariCP's log. While the pool has no connection, a request opens one before it asks
 * the pool. So it fails at once, with the driver's own exception, if the server does not accept it. Connections that
 * fail later are {@linkplain OwnConnections#evict evicted} by idgen.
 */
final class OwnPool extends HikariDataSource {
    // the minimum that HikariCP accepts
    private static final long LEAST_TIMEOUT_MILLIS = 250;

    private static final Duration IDLE = Duration.ofMinutes(1);

    private final String shown;
    private final @Nullable Opener opener; // null if only the pool can open connections, by a class name or from JNDI
    private final AtomicReference<@Nullable Connection> opened = new AtomicReference<>();

    /** Opens a connection. */
    private interface Opener {
        Connection open() throws SQLException;
    }

    private OwnPool(String shown, @Nullable Opener opener) {
        this.shown = shown;
        this.opener = opener;
    }

    /** Returns a pool of connections to a URL. */
    static OwnPool of(UrlDataSource connections, Duration timeout) {
        OwnPool pool = new OwnPool("a pool of " + connections, connections::getConnection);
        pool.configure("idgen", timeout);
        pool.setIdleTimeout(IDLE.toMillis());
        pool.setValidationTimeout(Math.max(LEAST_TIMEOUT_MILLIS, timeout.toMillis()));
        if (!connections.isReadCommitted()) {
            // once per connection; otherwise each transaction would set and restore it
            pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        }
        return pool;
    }

    /** Returns a copy, if the data source is a HikariCP pool, perhaps wrapped. */
    static Optional<OwnPool> copyOf(DataSource dataSource, Duration timeout) {
        return find(dataSource).map(application -> {
            String name = application.getPoolName() == null ? "application" : application.getPoolName();
            boolean canOpen = application.getDataSource() != null
                    || (application.getJdbcUrl() != null && application.getDataSourceClassName() == null);
            OwnPool copy = new OwnPool(
                    "a copy of the HikariCP pool '" + name + "' with " + OwnConnections.MOST + " connections",
                    canOpen ? () -> open(application) : null);
            application.copyStateTo(copy);
            copy.configure(name + "-idgen", timeout);
            // set once per connection; otherwise each allocation would read, change and restore them
            copy.setAutoCommit(true);
            copy.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
            return copy;
        });
    }

    private void configure(String name, Duration timeout) {
        setPoolName(name);
        setMaximumPoolSize(OwnConnections.MOST);
        setMinimumIdle(0);
        // before the timeout of its callers, because its own exception has the cause
        setConnectionTimeout(Math.max(LEAST_TIMEOUT_MILLIS, timeout.toMillis() * 9 / 10));
        if (opener == null) {
            setInitializationFailTimeout(1); // reports a wrong password at once, not after the timeout
        } else {
            setInitializationFailTimeout(-1); // the pool starts when there is a connection
            setDataSource(new OpenedBefore(opener));
        }
        try {
            setExceptionOverride(new SQLExceptionOverride() {
                @java.lang.Override
                public Override adjudicate(SQLException e) {
                    return Override.DO_NOT_EVICT;
                }
            });
        } catch (NoSuchMethodError e) {
            System.getLogger(OwnPool.class.getName())
                    .log(System.Logger.Level.DEBUG, "this version of HikariCP has no SQLExceptionOverride", e);
        }
    }

    /** The pool, if the data source is one or wraps one. */
    private static Optional<HikariDataSource> find(DataSource dataSource) {
        try {
            return dataSource instanceof HikariDataSource hikari
                    ? Optional.of(hikari)
                    : dataSource.isWrapperFor(HikariDataSource.class)
                            ? Optional.of(dataSource.unwrap(HikariDataSource.class))
                            : Optional.empty();
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            return Optional.empty(); // its wrapped objects are unknown
        }
    }

    // ---- connections ----

    @Override
    public Connection getConnection() throws SQLException {
        boolean isEmpty = getHikariPoolMXBean() == null || getHikariPoolMXBean().getTotalConnections() == 0;
        if (opener == null || !isEmpty || isClosed()) {
            return super.getConnection();
        }
        close(opened.getAndSet(opener.open()));
        try {
            return super.getConnection();
        } finally {
            close(opened.getAndSet(null)); // if another thread's connection became free first
        }
    }

    /** Reads user and password for each new connection, since an application may change them while it runs. */
    private static Connection open(HikariDataSource application) throws SQLException {
        String user;
        String password;
        try {
            HikariCredentialsProvider provider = application.getCredentialsProvider();
            Credentials now = provider == null ? application.getCredentials() : provider.getCredentials();
            user = now.getUsername();
            password = now.getPassword();
        } catch (LinkageError e) { // an older version
            user = application.getUsername();
            password = application.getPassword();
        }
        DataSource below = application.getDataSource();
        if (below == null) {
            return new DriverDataSource(
                            application.getJdbcUrl(),
                            application.getDriverClassName(),
                            application.getDataSourceProperties(),
                            user,
                            password)
                    .getConnection();
        }
        return user == null ? below.getConnection() : below.getConnection(user, password);
    }

    private static void close(@Nullable Connection connection) throws SQLException {
        if (connection != null) {
            connection.close();
        }
    }

    /** Gives the pool the connection that a request has opened, or a new one. */
    private final class OpenedBefore extends PlainDataSource {
        private final Opener opener;

        OpenedBefore(Opener opener) {
            this.opener = opener;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection first = opened.getAndSet(null);
            Connection connection = first == null ? opener.open() : first;
            if (isClosed()) { // the pool would not close it
                connection.close();
                throw new SQLException("the pool was closed", "08003");
            }
            return connection;
        }

        /** How many seconds HikariCP waits, when it is closed, for a connection that it is adding. */
        @Override
        public int getLoginTimeout() {
            return 1;
        }
    }

    @Override
    public String toString() {
        return shown;
    }
}
