package io.idgen.jdbc.internal;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A new connection for each request: a refill needs one per thousand ids, and none while nothing is inserted. */
public final class UrlDataSource implements DataSource {
    private static final Pattern SECRET = Pattern.compile("(?i)password=([^&;]+)|[/:]([^/:@]+)@");

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
        return connect(credentials);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        Properties others = new Properties();
        others.setProperty("user", user);
        others.setProperty("password", password);
        return connect(others);
    }

    /** Drivers like to repeat the URL in their errors, with the password that may be in it; so theirs are not passed on. */
    private Connection connect(Properties properties) throws SQLException {
        try {
            return DriverManager.getConnection(url, properties);
        } catch (SQLException e) {
            SQLException safe = new SQLException(withoutSecrets(e), e.getSQLState(), e.getErrorCode());
            safe.setStackTrace(e.getStackTrace());
            throw safe;
        }
    }

    private String withoutSecrets(SQLException e) {
        String message = String.valueOf(e.getMessage()).replace(url, shownUrl());
        Matcher matcher = SECRET.matcher(url);
        while (matcher.find()) {
            String secret = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            message = message.replace(secret, "***");
        }
        String password = credentials.getProperty("password", "");
        return password.isEmpty() ? message : message.replace(password, "***");
    }

    /** Neither parameters nor what stands in front of the host: both may hold a password. */
    private String shownUrl() {
        return url.replaceAll("[?;].*", "").replaceAll("^(jdbc:[a-z0-9]+:(?:[a-z0-9]+:)?(?://)?)[^@]*@", "$1");
    }

    /** Whether no other process can open the database. */
    boolean isOwnedByThisProcess() {
        return EmbeddedDatabase.isOwnedByThisProcess(url);
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

    @Override
    public String toString() {
        return "connections to " + shownUrl();
    }
}
