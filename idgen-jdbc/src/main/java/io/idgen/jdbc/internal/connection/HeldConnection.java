package io.idgen.jdbc.internal.connection;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Returns the same connection for each request, so that a thread works as fast as its database does. A connection that
 * was broken is replaced. For one thread at a time.
 */
public final class HeldConnection extends PlainDataSource implements AutoCloseable {
    private final DataSource dataSource;
    private @Nullable Connection held;

    /**
     * Creates a source of one connection. Opens none yet.
     *
     * @param dataSource opens the connection
     */
    public HeldConnection(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = held;
        if (connection == null || connection.isClosed()) {
            connection = dataSource.getConnection();
            held = connection;
        }
        return withoutClose(connection);
    }

    private static Connection withoutClose(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                HeldConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public void close() {
        Connection connection = held;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                System.getLogger(HeldConnection.class.getName())
                        .log(System.Logger.Level.DEBUG, "a connection could not be closed", e);
            }
        }
    }
}
