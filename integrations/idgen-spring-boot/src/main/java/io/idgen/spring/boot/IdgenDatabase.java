package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.jdbc.internal.connection.Routing;
import io.idgen.jdbc.schema.IdgenSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.DataSourceLookupFailureException;
import org.springframework.jdbc.datasource.lookup.JndiDataSourceLookup;

/**
 * The database with idgen's tables: the bean that {@code idgen.jdbc.data-source} names, or the {@link DataSource} with
 * this name in JNDI, else {@code idgen.jdbc.url}, else the only {@link DataSource} of the application.
 *
 * @param dataSource null if there is no database
 * @param url if set, idgen connects by itself, and only migrations use the data source
 * @param isApplications whether it is the application's, so that the application's migrations apply to it as well
 * @param schema the schema of the entities, as {@value #JPA} names it, if idgen's tables are there: the application's
 *     database, without {@value #SCHEMA}. So processes with and without the starter use the same rows
 */
record IdgenDatabase(
        @Nullable DataSource dataSource, @Nullable String url, boolean isApplications, Optional<String> schema) {
    static final String DATA_SOURCE = "idgen.jdbc.data-source";
    static final String URL = "idgen.jdbc.url";
    static final String SCHEMA = "idgen.jdbc.schema";
    static final String JPA = "spring.jpa.properties";

    /**
     * Returns the database of the application's sources, or of those of a unit.
     *
     * @param application the data source of the application or the unit, if it has one
     * @param jpa the properties of the application's units, or of the unit. If Hibernate then uses another schema than
     *     they name, its start is refused
     */
    static IdgenDatabase of(
            IdgenSettings settings, BeanFactory beans, Supplier<@Nullable DataSource> application, Map<String, ?> jpa) {
        String name = settings.get(DATA_SOURCE);
        if (name != null) {
            return new IdgenDatabase(named(name, beans), null, false, Optional.empty());
        }
        String url = settings.get(URL);
        if (url != null) {
            DriverManagerDataSource direct = new DriverManagerDataSource(url);
            direct.setUsername(settings.get("idgen.jdbc.user"));
            direct.setPassword(settings.get("idgen.jdbc.password"));
            return new IdgenDatabase(direct, url, false, Optional.empty());
        }
        Optional<String> schema = Optional.empty();
        if (settings.get(SCHEMA) == null) { // MariaDB and MySQL have catalogs alone
            Object ofEntities = jpa.get("hibernate.default_schema");
            schema = Optional.ofNullable(ofEntities != null ? ofEntities : jpa.get("hibernate.default_catalog"))
                    .map(Object::toString);
        }
        return new IdgenDatabase(application.get(), null, true, schema);
    }

    /** Returns null for a URL, which idgen itself refuses without showing it. */
    private static @Nullable DataSource named(String name, BeanFactory beans) {
        if (name.startsWith("jdbc:")) {
            return null;
        }
        if (beans.containsBean(name)) {
            if (beans.getBean(name) instanceof DataSource dataSource) {
                return dataSource;
            }
            throw refusal("the bean '" + name + "' is a "
                    + beans.getBean(name).getClass().getName() + "; name a bean of the type DataSource");
        }
        try {
            return new JndiDataSourceLookup().getDataSource(name);
        } catch (DataSourceLookupFailureException e) {
            List<String> known = beans instanceof ListableBeanFactory all
                    ? List.of(all.getBeanNamesForType(DataSource.class, true, false))
                    : List.of();
            throw refusal("there is no bean '" + name + "', and no DataSource of this name in JNDI; the beans of the"
                    + " type DataSource are " + (known.isEmpty() ? "none" : String.join(", ", known)));
        }
    }

    private static ConfigurationException refusal(String reason) {
        return new ConfigurationException(ErrorCode.INVALID_SETTING, DATA_SOURCE + ": " + reason);
    }

    /** Returns the data source that idgen borrows connections from; null if it connects by itself. */
    @Nullable
    DataSource lender() {
        return url == null ? dataSource : null;
    }

    /** Returns whether other processes can use the database. Connects to it if its URL is not known. */
    boolean isServer() {
        if (url != null) {
            return !url.contains(":mem");
        }
        if (dataSource == null || Routing.isRouting(dataSource)) {
            return dataSource != null; // one that routes is refused at the start, before it has to choose a database
        }
        try {
            return !new IdgenSchema(dataSource).isInMemory();
        } catch (IdGenerationException e) {
            return true; // the database does not answer; the start of the sources explains that
        }
    }
}
