package io.idgen.jdbc.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Wraps data sources and their connections, to observe or to change a single behaviour. */
public final class Wrapped {
    private static final Pattern ALLOCATES = Pattern.compile("(?i)\\bUPDATE |NEXT VALUE|nextval");

    private Wrapped() {}

    /** Provides the connections of a data source. */
    public interface Connections {
        Connection get() throws SQLException;
    }

    /** Handles a call in place of the real object, or forwards it. */
    public interface Answer {
        Object to(Call call) throws Throwable;
    }

    /** A call of a method of the real object. */
    public record Call(Object real, Method method, Object[] arguments) {
        public boolean is(String name) {
            return method.getName().equals(name);
        }

        public Object proceed() throws Throwable {
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    /** Creates a data source that can only provide connections. */
    public static DataSource dataSource(Connections connections) {
        return proxy(DataSource.class, (self, method, arguments) -> switch (method.getName()) {
            case "getConnection" -> connections.get();
            case "toString" -> "a data source of a test";
            case "hashCode" -> System.identityHashCode(self);
            case "equals" -> self == arguments[0];
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    /** Wraps an object so that {@code answer} handles all calls. */
    public static <T> T wrap(Class<T> type, T real, Answer answer) {
        return proxy(type, (self, method, arguments) -> answer.to(new Call(real, method, arguments)));
    }

    /** Handles the call by which a database allocates, or forwards it. */
    public interface Allocation {
        Object by(Connection real, Call call) throws Throwable;
    }

    /**
     * Wraps a data source so that {@code allocation} handles the statements that raise a row or take a value of a
     * sequence.
     */
    public static DataSource allocatingStatements(DataSource real, Allocation allocation) {
        return dataSource(() -> {
            Connection connection = real.getConnection();
            return wrap(Connection.class, connection, call -> {
                Object answer = call.proceed();
                if (!call.is("prepareStatement")
                        || !ALLOCATES.matcher((String) call.arguments()[0]).find()) {
                    return answer;
                }
                return wrap(
                        PreparedStatement.class,
                        (PreparedStatement) answer,
                        asked -> asked.method().getName().startsWith("execute")
                                ? allocation.by(connection, asked)
                                : asked.proceed());
            });
        });
    }

    /** Wraps a data source so that {@code allocation} handles its commits. */
    public static DataSource commits(DataSource real, Allocation allocation) {
        return dataSource(() -> {
            Connection connection = real.getConnection();
            return wrap(
                    Connection.class,
                    connection,
                    call -> call.is("commit") ? allocation.by(connection, call) : call.proceed());
        });
    }

    /** Wraps a data source so that its database reports another product name. */
    public static DataSource calledBy(String product, DataSource real) {
        return dataSource(() -> wrap(
                Connection.class,
                real.getConnection(),
                call -> call.is("getMetaData")
                        ? wrap(
                                DatabaseMetaData.class,
                                (DatabaseMetaData) call.proceed(),
                                asked -> asked.is("getDatabaseProductName") ? product : asked.proceed())
                        : call.proceed()));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(Wrapped.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
