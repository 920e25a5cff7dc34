package io.idgen.jdbc.internal.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A connection proxy that configures each new statement. All other calls go to the connection. */
final class ConfiguredConnection implements InvocationHandler {
    private final Connection connection;
    private final Configuration configuration;

    /** Configures a new statement. */
    interface Configuration {
        void apply(Statement statement) throws SQLException;
    }

    private ConfiguredConnection(Connection connection, Configuration configuration) {
        this.connection = connection;
        this.configuration = configuration;
    }

    static Connection of(Connection connection, Configuration configuration) {
        return (Connection) Proxy.newProxyInstance(
                ConfiguredConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new ConfiguredConnection(connection, configuration));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        Object answer;
        try {
            answer = method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (answer instanceof Statement statement) {
            try {
                configuration.apply(statement);
            } catch (SQLException | RuntimeException e) {
                statement.close();
                throw e;
            }
        }
        return answer;
    }
}
