package io.idgen.jdbc.internal.sql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A connection proxy that configures each new statement. All other calls go to the connection. */
final class ConfiguredConnection {
    private ConfiguredConnection() {}

    /** Configures a new statement. */
    interface Configuration {
        void apply(Statement statement) throws SQLException;
    }

    static Connection of(Connection connection, Configuration configuration) {
        return (Connection) Proxy.newProxyInstance(
                ConfiguredConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
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
                });
    }
}
