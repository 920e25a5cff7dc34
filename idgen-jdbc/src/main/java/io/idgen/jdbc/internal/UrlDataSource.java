package io.idgen.jdbc.internal;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A new connection for each request: a refill needs one per thousand ids, and none while nothing is inserted. */
public final class UrlDataSource implements DataSource {
    private final String url;
    private final Properties credentials = new Properties();

    /**
     * Connections to a URL. Opens none.
     *
     * @param url the driver's URL
     * @param user empty if the URL says it, or none is needed
     * @param password empty if there is none
     */
    public UrlDataSource(String url, String user, String password) {
        this.url = url;
        if (!user.isEmpty()) {
            credentials.setProperty("user", user);
            credentials.setProperty("password", password);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        return DriverManager.getConnection(url, credentials);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        throw new SQLFeatureNotSupportedException("this data source does not log");
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("this data source does not log");
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("set a login timeout in the URL");
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("this data source does not log");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("not a " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }

    /** Without the credentials, which may also stand in the URL. */
    @Override
    public String toString() {
        return "connections to " + url.replaceAll("[?;].*", "");
    }
}
