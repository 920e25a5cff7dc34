package io.idgen.jdbc.internal.connection;

import java.time.Duration;
import javax.sql.DataSource;

/**
 * Connections of idgen's own to a URL: kept by a pool of two where the application has HikariCP, else made anew for each
 * request. Opens none by itself.
 */
public final class OwnConnections implements AutoCloseable {
    /** So many at once, however many sources there are. */
    public static final int MOST = 2;

    private final UrlDataSource direct;
    private final DataSource dataSource;

    private OwnConnections(UrlDataSource direct, DataSource dataSource) {
        this.direct = direct;
        this.dataSource = dataSource;
    }

    /**
     * Connections to a URL.
     *
     * @param url the driver's
     * @param user empty if the URL says it, or none is needed
     * @param password empty if there is none
     * @param timeout how long to wait for a connection
     * @return what opens them
     */
    public static OwnConnections to(String url, String user, String password, Duration timeout) {
        UrlDataSource direct = new UrlDataSource(url, user, password, timeout);
        try {
            return new OwnConnections(direct, HikariPool.of(direct, timeout));
        } catch (NoClassDefFoundError e) {
            return new OwnConnections(direct, direct); // no HikariCP in this application
        }
    }

    /**
     * Whether all connections of a data source have the same isolation when they are borrowed, whatever their last user did.
     * It then needs to be read only once: on PostgreSQL each time is a question to the server.
     *
     * @param dataSource any
     * @return true for a pool of HikariCP; false if it is not known
     */
    public static boolean haveOneIsolation(DataSource dataSource) {
        DataSource inner = dataSource instanceof SchemaFirst first ? first.dataSource() : dataSource;
        try {
            return HikariPool.isOne(inner);
        } catch (NoClassDefFoundError e) {
            return false; // no HikariCP in this application
        }
    }

    /**
     * What gives them.
     *
     * @return a data source, ended by {@link #close}
     */
    public DataSource dataSource() {
        return dataSource;
    }

    /** Whether no other process can open the database. */
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
