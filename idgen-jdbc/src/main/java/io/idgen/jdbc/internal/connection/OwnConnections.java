package io.idgen.jdbc.internal.connection;

import java.time.Duration;
import javax.sql.DataSource;

/**
 * idgen's own connections to a URL: a pool of {@value #MOST} if HikariCP is on the class path, otherwise a new
 * connection for each request. Opens a connection only on request.
 */
public final class OwnConnections implements AutoCloseable {
    /** The largest number of connections at a time, for all sources together: {@value}. */
    public static final int MOST = 2;

    private final UrlDataSource direct;
    private final DataSource dataSource;

    private OwnConnections(UrlDataSource direct, DataSource dataSource) {
        this.direct = direct;
        this.dataSource = dataSource;
    }

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
        try {
            return new OwnConnections(direct, HikariPool.of(direct, timeout));
        } catch (NoClassDefFoundError e) {
            return new OwnConnections(direct, direct); // HikariCP is not on the class path
        }
    }

    /**
     * Returns whether all borrowed connections of a data source have the same isolation level. Then it is read only
     * once: on PostgreSQL each read is a round trip.
     *
     * @param dataSource any data source
     * @return true for a pool of HikariCP; false for all others
     */
    public static boolean haveOneIsolation(DataSource dataSource) {
        DataSource inner = dataSource instanceof SchemaFirst first ? first.dataSource() : dataSource;
        try {
            return HikariPool.isOne(inner);
        } catch (NoClassDefFoundError e) {
            return false; // HikariCP is not on the class path
        }
    }

    /**
     * The data source that opens the connections.
     *
     * @return a data source; {@link #close} closes it
     */
    public DataSource dataSource() {
        return dataSource;
    }

    /** Returns whether no other process can open the database. */
    public boolean isOwnedByThisProcess() {
        return direct.isOwnedByThisProcess();
    }

    @Override
    public void close() {
        if (dataSource instanceof AutoCloseable pool) {
            try {
                pool.close();
            } catch (Exception e) {
                throw new IllegalStateException("closing idgen's connections failed", e);
            }
        }
    }

    @Override
    public String toString() {
        return (dataSource instanceof AutoCloseable ? "a pool of " : "") + direct;
    }
}
