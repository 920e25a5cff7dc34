package io.idgen.hibernate.internal;

import io.idgen.jdbc.internal.connection.ApplicationDatabase;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.connection.Routing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.cfg.MappingSettings;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.engine.jdbc.env.spi.ExtractedDatabaseMetaData;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The database of the entities, as the settings of the unit and Hibernate describe it. {@link ApplicationDatabase}
 * opens idgen's own connections to it.
 */
final class EntityDatabase {
    // each setting by its JPA name and by Hibernate's older name
    private static final List<String> URLS = List.of(JdbcSettings.JAKARTA_JDBC_URL, "hibernate.connection.url");
    private static final List<String> USERS = List.of(JdbcSettings.JAKARTA_JDBC_USER, "hibernate.connection.username");
    private static final List<String> PASSWORDS =
            List.of(JdbcSettings.JAKARTA_JDBC_PASSWORD, "hibernate.connection.password");

    private static final List<String> DATA_SOURCES = List.of(
            JdbcSettings.JAKARTA_JTA_DATASOURCE,
            JdbcSettings.JAKARTA_NON_JTA_DATASOURCE,
            "hibernate.connection.datasource");

    /** The settings by which each tenant has connections, schemas or users of its own; the last two since 7.1. */
    private static final List<String> TENANTS = List.of(
            MultiTenancySettings.MULTI_TENANT_CONNECTION_PROVIDER,
            "hibernate.multi_tenant.schema_mapper",
            "hibernate.multi_tenant.credentials_mapper");

    private final Map<String, Object> settings;
    private final ServiceRegistryImplementor registry;

    EntityDatabase(Map<String, Object> settings, ServiceRegistryImplementor registry) {
        this.settings = settings;
        this.registry = registry;
    }

    /**
     * Returns whether Hibernate has read the metadata of a database. It has not if it only reads the mapping, as in a
     * build, or if {@code hibernate.boot.allow_jdbc_metadata_access} is false.
     */
    static boolean isSeen(ServiceRegistry registry) {
        return metadata(registry)
                .filter(seen -> seen.getConnectionCatalogName() != null || seen.getConnectionSchemaName() != null)
                .isPresent();
    }

    private static Optional<ExtractedDatabaseMetaData> metadata(ServiceRegistry registry) {
        return Optional.ofNullable(registry.getService(JdbcEnvironment.class))
                .map(JdbcEnvironment::getExtractedDatabaseMetaData);
    }

    /**
     * Returns whether each tenant has a schema or a database of its own, or the data source routes to several
     * databases. False for {@code @TenantId}.
     */
    boolean hasTenants() {
        return TENANTS.stream().anyMatch(key -> settings.get(key) != null)
                || registry.getService(MultiTenantConnectionProvider.class) != null
                || dataSource().filter(Routing::isRouting).isPresent();
    }

    /**
     * Returns {@code hibernate.default_schema} as statements write it, or null if it is not set. On a database that has
     * only catalogs, this is {@code hibernate.default_catalog}.
     */
    static @Nullable String defaultSchema(ServiceRegistry registry) {
        JdbcEnvironment environment = registry.requireService(JdbcEnvironment.class);
        Object name = registry.requireService(ConfigurationService.class)
                .getSettings()
                .get(
                        environment.getNameQualifierSupport().supportsSchemas()
                                ? MappingSettings.DEFAULT_SCHEMA
                                : MappingSettings.DEFAULT_CATALOG);
        Identifier schema =
                name == null ? null : environment.getIdentifierHelper().toIdentifier(name.toString());
        return schema == null ? null : schema.render(environment.getDialect());
    }

    /** Returns whether no other process can open the database of the entities, as far as Hibernate knows. */
    boolean isOwnedByThisProcess() {
        Optional<String> url = first(URLS);
        if (url.isPresent()) {
            return EmbeddedDatabase.isOwnedByThisProcess(url.get());
        }
        return urlSeen().filter(EmbeddedDatabase::isInMemory).isPresent();
    }

    /** Returns the URL that Hibernate found when it read the database's metadata, if it did. */
    private Optional<String> urlSeen() {
        try {
            return metadata(registry).map(seen -> seen.getUrl());
        } catch (NoSuchMethodError e) {
            return Optional.empty(); // Hibernate 6.6 does not store it
        }
    }

    /** Returns the database, if the unit has a URL or a data source. */
    Optional<ApplicationDatabase> applicationDatabase() {
        return first(URLS)
                .map(url -> ApplicationDatabase.at(
                        url, first(USERS).orElse(""), first(PASSWORDS).orElse("")))
                .or(() -> dataSource().map(found -> ApplicationDatabase.of(found, urlSeen())));
    }

    /**
     * Returns whether the unit uses a data source. The application owns such a data source, even if it is also passed
     * to idgen.
     *
     * @param given a data source, or a name of one in JNDI
     */
    boolean uses(Object given) {
        return given instanceof DataSource
                ? dataSource().filter(given::equals).isPresent()
                : DATA_SOURCES.stream().map(settings::get).anyMatch(given::equals);
    }

    private Optional<DataSource> dataSource() {
        ConnectionProvider provider = registry.getService(ConnectionProvider.class);
        return provider != null && provider.isUnwrappableAs(DataSource.class)
                ? Optional.of(provider.unwrap(DataSource.class))
                : Optional.empty();
    }

    private Optional<String> first(List<String> keys) {
        return keys.stream()
                .map(settings::get)
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .findFirst();
    }
}
