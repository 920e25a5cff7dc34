package io.idgen.jdbc.internal.connection;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the properties of a data source's connections from the getters of its class, or of the data sources that it
 * wraps. Pools have no common interface, but similar names. idgen calls the getters by reflection, so it depends on
 * none of the pools. A property without a getter is unknown. Calls no method that connects.
 */
final class PoolBean {
    private static final String AGROAL = "getConfiguration.connectionPoolConfiguration.";
    private static final String AGROAL_FACTORY = AGROAL + "connectionFactoryConfiguration.";

    private static final List<String> URL = List.of("getJdbcUrl", "getUrl", "getURL", AGROAL_FACTORY + "jdbcUrl");
    private static final List<String> USER =
            List.of("getUsername", "getUserName", "getUser", AGROAL_FACTORY + "principal.getName");
    private static final List<String> PASSWORD = List.of(
            "getPoolProperties.getPassword", // Tomcat's, whose getPassword returns a text for administrators
            "getPassword",
            AGROAL_FACTORY + "credentials.getWord");
    private static final List<String> DRIVER_PROPERTIES =
            List.of("getDbProperties", "getProperties", AGROAL_FACTORY + "jdbcProperties");
    private static final List<String> SIZE = List.of(
            "getMaximumPoolSize",
            "getMaxPoolSize",
            "getMaxTotal",
            "getMaxActive",
            "getPoolMaxSize",
            AGROAL + "maxSize");
    private static final List<String> IN_USE =
            List.of("getNumBusyConnections", "getNumActive", "getHikariPoolMXBean.getActiveConnections");
    private static final List<String> WRAPPED = List.of("getTargetDataSource", "getDataSource");

    private static final int MOST_LAYERS = 8;

    private final List<DataSource> layers;

    PoolBean(DataSource dataSource) {
        List<DataSource> all = new ArrayList<>();
        DataSource next = dataSource;
        while (next != null && all.size() < MOST_LAYERS) {
            all.add(next);
            next = find(List.of(next), WRAPPED, DataSource.class).findFirst().orElse(null);
        }
        this.layers = List.copyOf(all);
    }

    DataSource dataSource() {
        return layers.get(0);
    }

    /** The data source itself, and then each data source that it wraps. */
    List<DataSource> layers() {
        return layers;
    }

    /** The JDBC URL, with all parameters. */
    Optional<String> url() {
        return find(layers, URL, String.class).findFirst();
    }

    /** The current user and password; empty unless both are known. */
    Optional<Properties> login() {
        Optional<String> user = find(layers, USER, String.class).findFirst();
        Optional<String> password = find(layers, PASSWORD, String.class).findFirst();
        return user.isEmpty() || password.isEmpty()
                ? Optional.empty()
                : Optional.of(UrlDataSource.login(user.get(), password.get()));
    }

    /** Properties for the driver that are not in the URL. */
    Properties driverProperties() {
        return find(layers, DRIVER_PROPERTIES, Properties.class).findFirst().orElseGet(Properties::new);
    }

    /** Whether the data source is a pool itself, and not one that wraps a pool. */
    boolean isPool() {
        return find(layers.subList(0, 1), SIZE, Integer.class).findFirst().isPresent();
    }

    /** The largest number of connections; empty if it is not a pool, or does not report the number. */
    OptionalInt size() {
        return number(SIZE);
    }

    /** How many connections are in use now. */
    OptionalInt inUse() {
        return number(IN_USE);
    }

    private OptionalInt number(List<String> paths) {
        return find(layers, paths, Integer.class).mapToInt(Integer::intValue).findFirst();
    }

    /** The name of the class, which administrators know. */
    @Override
    public String toString() {
        return dataSource().getClass().getName();
    }

    // ---- reflection ----

    private static <T> Stream<T> find(List<DataSource> objects, List<String> paths, Class<T> type) {
        return objects.stream()
                .flatMap(object -> paths.stream().map(path -> follow(object, path)))
                .filter(type::isInstance)
                .map(type::cast);
    }

    private static @Nullable Object follow(Object start, String path) {
        Object object = start;
        for (String name : path.split("\\.")) {
            if (object == null) {
                return null;
            }
            try {
                Method method = method(object, object.getClass(), name);
                object = method == null ? null : method.invoke(object);
            } catch (InvocationTargetException | IllegalAccessException | RuntimeException e) {
                return null; // unknown, as if the getter did not exist
            }
            if (object instanceof Collection<?> several) {
                object = several.isEmpty() ? null : several.iterator().next();
            }
        }
        return object;
    }

    /**
     * Finds a public method without parameters that can be called. The class of the object itself is often not
     * accessible.
     */
    private static @Nullable Method method(Object object, @Nullable Class<?> type, String name) {
        if (type == null) {
            return null;
        }
        try {
            Method method = type.getMethod(name);
            if (method.canAccess(object)) {
                return method;
            }
        } catch (NoSuchMethodException e) {
            return null; // its superclasses and interfaces do not have it either
        }
        for (Class<?> each : type.getInterfaces()) {
            Method method = method(object, each, name);
            if (method != null) {
                return method;
            }
        }
        return method(object, type.getSuperclass(), name);
    }
}
