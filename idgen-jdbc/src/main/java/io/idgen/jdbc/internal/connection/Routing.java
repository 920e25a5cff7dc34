package io.idgen.jdbc.internal.connection;

import java.lang.reflect.InvocationTargetException;
import java.sql.SQLException;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Recognises data sources that route each connection to one of several databases, such as subclasses of Spring's {@code
 * AbstractRoutingDataSource}. A counter in one of these databases would serve the tables of the others.
 */
public final class Routing {
    private static final String OF_SPRING = "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource";

    private Routing() {}

    /** Returns whether a data source routes, also behind a wrapper of Spring or of JDBC. Opens no connection. */
    public static boolean isRouting(@Nullable Object dataSource) {
        return dataSource instanceof DataSource candidate
                && (Stream.<@Nullable Class<?>>iterate(candidate.getClass(), type -> type != null, Class::getSuperclass)
                                .anyMatch(Routing::isNamedSo)
                        || isRouting(target(candidate))
                        || wraps(candidate));
    }

    private static boolean isNamedSo(@Nullable Class<?> type) {
        return type != null
                && (type.getSimpleName().contains("RoutingDataSource")
                        || type.getSimpleName().equals("ShardingSphereDataSource"));
    }

    /** Returns the target of a wrapper of Spring, which would determine a database to unwrap it. */
    private static @Nullable Object target(DataSource wrapper) {
        try {
            return wrapper.getClass().getMethod("getTargetDataSource").invoke(wrapper);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return null;
        }
    }

    private static boolean wraps(DataSource wrapper) {
        try {
            ClassLoader loader = wrapper.getClass().getClassLoader();
            return wrapper.isWrapperFor(Class.forName(OF_SPRING, false, loader));
        } catch (ClassNotFoundException | SQLException | RuntimeException e) {
            return false; // Spring is not there, or the data source cannot answer yet
        }
    }
}
