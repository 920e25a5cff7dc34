package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.jdbc.internal.connection.Routing;
import io.idgen.jdbc.schema.IdgenSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.JndiDataSourceLookup;
import org.springframework.jndi.JndiLocatorDelegate;

/**
 * The database with idgen's tables: the bean that {@code idgen.jdbc.data-source} names, else {@code idgen.jdbc.url},
 * else the only {@link DataSource} of the application.
 *
 * @param dataSource a bean; null if idgen connects by settings, or there is no database
 * @param settings the settings by which idgen connects if there is no bean: a URL with its login, or a name in JNDI
 * @param isApplications whether it is the application's, so that the application's migrations apply to it as well
 */
record IdgenDatabase(@Nullable DataSource dataSource, Map<String, String> settings, boolean isApplications) {
    static final String DATA_SOURCE = "idgen.jdbc.data-source";
    static final String URL = "idgen.jdbc.url";
    static final String USER = "idgen.jdbc.user";
    static final String PASSWORD = "idgen.jdbc.password";

    /**
     * Returns the database of the application's sources, or of those of a unit.
     *
     * @param application the data source of the application or the unit, if it has one
     */
    static IdgenDatabase of(IdgenSettings all, BeanFactory beans, Supplier<@Nullable DataSource> application) {
        String name = all.get(DATA_SOURCE);
        if (name != null && beans.containsBean(name)) {
            return of(name, beans.getBean(name));
        }
        if (name != null) {
            refuseUnlessInJndi(name, beans);
            return new IdgenDatabase(null, Map.of(DATA_SOURCE, name), false);
        }
        if (all.get(URL) != null) {
            Map<String, String> settings = new LinkedHashMap<>();
            for (String setting : List.of(URL, USER, PASSWORD)) {
                String text = all.get(setting);
                if (text != null) {
                    settings.put(setting, text);
                }
            }
            return new IdgenDatabase(null, settings, false);
        }
        return new IdgenDatabase(application.get(), Map.of(), true);
    }

    /** Refuses a name that neither a bean nor JNDI can have. Other texts, such as URLs, are refused by idgen itself. */
    private static void refuseUnlessInJndi(String name, BeanFactory beans) {
        if (!name.contains(":") && !JndiLocatorDelegate.isDefaultJndiEnvironmentAvailable()) {
            List<String> known = beans instanceof ListableBeanFactory all
                    ? List.of(all.getBeanNamesForType(DataSource.class, true, false))
                    : List.of();
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING,
                    DATA_SOURCE + ": there is no bean '" + name
                            + "', and this process has no JNDI; the beans of the type" + " DataSource are "
                            + (known.isEmpty() ? "none" : String.join(", ", known)));
        }
    }

    private static IdgenDatabase of(String name, Object bean) {
        if (bean instanceof DataSource dataSource) {
            return new IdgenDatabase(dataSource, Map.of(), false);
        }
        Optional<Map<String, String>> details = ConnectionDetails.settings(bean);
        return details.map(settings -> new IdgenDatabase(null, settings, false))
                .orElseThrow(() -> new ConfigurationException(
                        ErrorCode.INVALID_SETTING,
                        DATA_SOURCE + ": the bean '" + name + "' is a "
                                + bean.getClass().getName()
                                + "; name a bean of the type DataSource or JdbcConnectionDetails"));
    }

    /** Returns whether other processes can use the database. Connects to it if the settings do not show that. */
    boolean isServer() {
        if (dataSource == null) {
            return settings.containsKey(DATA_SOURCE)
                    || (settings.containsKey(URL) && !settings.get(URL).contains(":mem"));
        }
        if (Routing.isRouting(dataSource)) {
            return true; // refused at the start, before it has to choose a database
        }
        try {
            return !new IdgenSchema(dataSource).isInMemory();
        } catch (IdGenerationException e) {
            return true; // the database does not answer; the start of the sources explains that
        }
    }

    /** Returns a source of connections for migrations; null if there is no database. */
    @Nullable
    DataSource forMigrations() {
        if (dataSource != null || settings.isEmpty()) {
            return dataSource;
        }
        String url = settings.get(URL);
        if (url == null) {
            return new JndiDataSourceLookup().getDataSource(Objects.requireNonNull(settings.get(DATA_SOURCE)));
        }
        DriverManagerDataSource direct = new DriverManagerDataSource(url);
        direct.setUsername(settings.get(USER));
        direct.setPassword(settings.get(PASSWORD));
        return direct;
    }
}
