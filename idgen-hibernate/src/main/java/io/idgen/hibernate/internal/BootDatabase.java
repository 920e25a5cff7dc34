package io.idgen.hibernate.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.cfg.MappingSettings;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.engine.jdbc.env.spi.ExtractedDatabaseMetaData;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.jspecify.annotations.Nullable;

/** The database of the entities, as far as Hibernate knows it at boot. */
final class BootDatabase {
    private static final System.Logger LOG = System.getLogger(BootDatabase.class.getName());

    /** The settings by which each tenant has connections, schemas or users of its own; the last two since 7.1. */
    private static final List<String> TENANTS = List.of(
            MultiTenancySettings.MULTI_TENANT_CONNECTION_PROVIDER,
            "hibernate.multi_tenant.schema_mapper",
            "hibernate.multi_tenant.credentials_mapper");

    private final Map<String, Object> settings;
    private final ServiceRegistryImplementor registry;

    BootDatabase(Map<String, Object> settings, ServiceRegistryImplementor registry) {
        this.settings = settings;
        this.registry = registry;
    }

    /**
     * Returns whether Hibernate has read the metadata of a database. It has not if it only reads the mapping, as in a
     * build, or if {@code hibernate.boot.allow_jdbc_metadata_access} is false.
     */
    static boolean isSeen(ServiceRegistry registry) {
        JdbcEnvironment environment = registry.getService(JdbcEnvironment.class);
        if (environment == null) {
            return false;
        }
        ExtractedDatabaseMetaData seen = environment.getExtractedDatabaseMetaData();
        return seen.getConnectionCatalogName() != null || seen.getConnectionSchemaName() != null;
    }

    /** Returns whether each tenant has a schema or a database of its own. False for {@code @TenantId}. */
    boolean hasTenants() {
        return TENANTS.stream().anyMatch(key -> settings.get(key) != null)
                || registry.getService(MultiTenantConnectionProvider.class) != null;
    }

    /**
     * Returns {@code hibernate.default_schema} as statements write it, or {@code hibernate.default_catalog} on a
     * database whose schemas are called catalogs. Null if it is not set.
     */
    static @Nullable String defaultSchema(ServiceRegistry registry) {
        JdbcEnvironment environment = registry.getService(JdbcEnvironment.class);
        ConfigurationService settings = registry.getService(ConfigurationService.class);
        if (environment == null || settings == null) {
            return null;
        }
        Object name = settings.getSettings()
                .get(
                        environment.getNameQualifierSupport().supportsSchemas()
                                ? MappingSettings.DEFAULT_SCHEMA
                                : MappingSettings.DEFAULT_CATALOG);
        Identifier schema =
                name == null ? null : environment.getIdentifierHelper().toIdentifier(name.toString());
        return schema == null ? null : schema.render(environment.getDialect());
    }

    /**
     * Returns whether an unqualified table name means the same table on a DataSource's connections as on Hibernate's:
     * the driver reports the same URL apart from its parameters, and the same catalog and schema. Opens a connection,
     * unless Hibernate has seen no database.
     *
     * @param url the URL of Hibernate's connections, if it is known
     */
    boolean isSame(DataSource dataSource, Optional<String> url) {
        JdbcEnvironment environment = registry.getService(JdbcEnvironment.class);
        if (environment == null || url.isEmpty() || !isSeen(registry)) {
            return false;
        }
        ExtractedDatabaseMetaData seen = environment.getExtractedDatabaseMetaData();
        try (Connection connection = dataSource.getConnection()) {
            return address(url.get()).equals(address(connection.getMetaData().getURL()))
                    && Objects.equals(seen.getConnectionCatalogName(), connection.getCatalog())
                    && Objects.equals(seen.getConnectionSchemaName(), connection.getSchema());
        } catch (SQLException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Hibernate does not create idgen''s tables in the DataSource that was passed: it gives no connection"
                            + " ({0})",
                    e.getMessage());
            return false;
        }
    }

    private static String address(@Nullable String url) {
        return url == null ? "" : url.replaceFirst("[?;].*", "");
    }
}
