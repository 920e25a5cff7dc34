package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.jdbc.schema.IdgenSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.JndiDataSourceLookup;

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

    static IdgenDatabase of(Environment environment, BeanFactory beans, ObjectProvider<DataSource> application) {
        String name = environment.getProperty(DATA_SOURCE);
        if (name != null) {
            return beans.containsBean(name)
                    ? of(name, beans.getBean(name))
                    : new IdgenDatabase(null, Map.of(DATA_SOURCE, name), false);
        }
        if (environment.containsProperty(URL)) {
            Map<String, String> settings = new LinkedHashMap<>();
            Stream.of(URL, USER, PASSWORD)
                    .filter(environment::containsProperty)
                    .forEach(setting -> settings.put(setting, environment.getRequiredProperty(setting)));
            return new IdgenDatabase(null, settings, false);
        }
        return new IdgenDatabase(application.getIfUnique(), Map.of(), true);
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
            return new JndiDataSourceLookup().getDataSource(settings.get(DATA_SOURCE));
        }
        DriverManagerDataSource direct = new DriverManagerDataSource(url);
        direct.setUsername(settings.get(USER));
        direct.setPassword(settings.get(PASSWORD));
        return direct;
    }
}
