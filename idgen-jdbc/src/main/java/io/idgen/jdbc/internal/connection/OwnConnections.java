package io.idgen.jdbc.internal.connection;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * idgen's own connections: a pool of {@value #MOST} if HikariCP is on the class path, otherwise a new connection for
 * each request. Opens a connection only on request.
 *
 * @param dataSource opens the connections; {@link #close} closes it if it is idgen's own
 * @param shown its text is where the connections lead
 * @param isOwnedByThisProcess whether no other process can open the database; empty if only a connection can show it
 * @param end closes the data source if it is idgen's own
 */
public record OwnConnections(DataSource dataSource, Object shown, Optional<Boolean> isOwnedByThisProcess, Runnable end)
        implements AutoCloseable {
    /** The largest number of connections at a time, for all sources together: {@value}. */
    public static final int MOST = 2;

    private static final Runnable NOTHING = () -> {};

    /**
     * Creates connections to a URL. Opens none.
     *
     * @param url the JDBC URL
     * @param user empty if the URL contains it, or none is needed
     * @param password empty if there is none
     * @param timeout how long to wait for a connection
     * @return the connections; close them after use
     */
    public static OwnConnections to(String url, String user, String password, Duration timeout) {
        UrlDataSource direct = new UrlDataSource(url, user, password, timeout);
        Optional<Boolean> isOwned = Optional.of(EmbeddedDatabase.isOwnedByThisProcess(url));
        return withHikari(
                () -> {
                    OwnPool pool = OwnPool.of(direct, timeout);
                    return new OwnConnections(pool, pool, isOwned, pool::close);
                },
                () -> new OwnConnections(direct, direct, isOwned, NOTHING));
    }

    /** Uses the classes of HikariCP, or something else if it is not on the class path. */
    private static <T> T withHikari(Supplier<T> present, Supplier<T> absent) {
        try {
            return present.get();
        } catch (NoClassDefFoundError e) {
            return absent.get();
        }
    }

    /** Returns a copy of a HikariCP pool; empty if the data source is not one. */
    private static Optional<OwnConnections> copyOf(DataSource dataSource, Duration timeout) {
        return withHikari(
                () -> OwnPool.copyOf(dataSource, timeout)
                        .map(copy -> new OwnConnections(copy, copy, Optional.empty(), copy::close)),
                Optional::empty);
    }

    /** Creates connections for the application's data source: from a copy if it is a HikariCP pool, or from itself. */
    static OwnConnections ofApplication(DataSource dataSource, Duration timeout) {
        ApplicationPool lent = new ApplicationPool(dataSource, timeout);
        String shown = "the application's pool, " + lent + " (for connections of idgen's own, "
                + ApplicationPool.WAY_OUT + ")";
        return copyOf(dataSource, timeout).orElseGet(() -> new OwnConnections(lent, shown, Optional.empty(), NOTHING));
    }

    /**
     * Creates connections to the database of a data source that was passed to idgen. If the data source is a HikariCP
     * pool, idgen opens a copy, because the application's threads may hold the connections of the pool while they wait
     * for ids. Otherwise it uses the data source itself. So it does not bypass a wrapper around a pool, which may count
     * statements, for example.
     *
     * @param dataSource not closed here
     * @param timeout how long to wait for a connection
     * @return the connections; close them after use
     */
    public static OwnConnections of(DataSource dataSource, Duration timeout) {
        return (haveOneIsolation(dataSource) ? copyOf(dataSource, timeout) : Optional.<OwnConnections>empty())
                .orElseGet(() -> new OwnConnections(dataSource, text(dataSource), Optional.empty(), NOTHING));
    }

    /** Names a data source without its settings: those of some pools contain users and passwords. */
    private static String text(DataSource dataSource) {
        return dataSource instanceof PlainDataSource own
                ? own.toString()
                : "a data source of type " + dataSource.getClass().getName();
    }

    /**
     * Returns whether all borrowed connections of a data source have the same isolation level. Then it is read only
     * once: on PostgreSQL each read is a round trip. HikariCP resets the level of returned connections.
     *
     * @param dataSource any data source
     * @return true for a pool of HikariCP; false for all others
     */
    public static boolean haveOneIsolation(DataSource dataSource) {
        return withHikari(() -> inner(dataSource) instanceof HikariDataSource, () -> false);
    }

    /**
     * Returns whether {@link #evict} evicts a borrowed connection: whether it is one of a HikariCP pool.
     *
     * @param dataSource the data source that returned the connection
     * @param connection a connection of it
     * @return false if the pool is another one, or there is none
     */
    public static boolean canEvict(DataSource dataSource, Connection connection) {
        return connection.getClass().getName().startsWith("com.zaxxer.hikari.") && haveOneIsolation(dataSource);
    }

    /**
     * Evicts a connection that may be broken from a HikariCP pool. The pool would do so by itself, but log a stack
     * trace. Does nothing for other pools.
     *
     * @param dataSource the data source that returned the connection
     * @param connection closed already
     */
    public static void evict(DataSource dataSource, Connection connection) {
        if (canEvict(dataSource, connection)) {
            ((HikariDataSource) inner(dataSource)).evictConnection(connection);
        }
    }

    private static DataSource inner(DataSource dataSource) {
        return dataSource instanceof SchemaFirst first ? first.dataSource() : dataSource;
    }

    @Override
    public void close() {
        end.run();
    }

    @Override
    public String toString() {
        return shown.toString();
    }
}
