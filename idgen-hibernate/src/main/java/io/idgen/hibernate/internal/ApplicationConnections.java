package io.idgen.hibernate.internal;

import io.idgen.jdbc.internal.connection.ApplicationDatabase;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The database of the entities, as the settings of the unit and Hibernate describe it. {@link ApplicationDatabase}
 * opens idgen's own connections to it.
 */
final class ApplicationConnections {
    // each setting by its JPA name and by Hibernate's older name
    private static final List<String> URLS = List.of(JdbcSettings.JAKARTA_JDBC_URL, "hibernate.connection.url");
    private static final List<String> USERS = List.of(JdbcSettings.JAKARTA_JDBC_USER, "hibernate.connection.username");
    private static final List<String> PASSWORDS =
            List.of(JdbcSettings.JAKARTA_JDBC_PASSWORD, "hibernate.connection.password");

    private static final List<String> DATA_SOURCES = List.of(
            JdbcSettings.JAKARTA_JTA_DATASOURCE,
            JdbcSettings.JAKARTA_NON_JTA_DATASOURCE,
            "hibernate.connection.datasource");

    private final Map<String, Object> settings;
    private final ServiceRegistryImplementor registry;

    ApplicationConnections(Map<String, Object> settings, ServiceRegistryImplementor registry) {
        this.settings = settings;
        this.registry = registry;
    }

    /** Returns whether no other process can open the database of the entities, as far as Hibernate knows. */
    boolean isOwnedByThisProcess() {
        Optional<String> url = first(URLS);
        if (url.isPresent()) {
            return EmbeddedDatabase.isOwnedByThisProcess(url.get());
        }
        return urlSeen().filter(EmbeddedDatabase::isInMemory).isPresent();
    }

    /** Returns the URL of the database of the entities, if it is known. */
    Optional<String> url() {
        return first(URLS).or(this::urlSeen);
    }

    /** Returns the URL that Hibernate found when it read the database's metadata, if it did. */
    private Optional<String> urlSeen() {
        try {
            return Optional.ofNullable(registry.getService(JdbcEnvironment.class))
                    .map(environment ->
                            environment.getExtractedDatabaseMetaData().getUrl());
        } catch (NoSuchMethodError e) {
            return urlAsked(); // Hibernate 6.6 does not store it
        }
    }

    private Optional<String> urlAsked() {
        ConnectionProvider provider = registry.getService(ConnectionProvider.class);
        if (provider == null || !BootDatabase.isSeen(registry)) {
            return Optional.empty();
        }
        try {
            Connection connection = provider.getConnection();
            try {
                return Optional.ofNullable(connection.getMetaData().getURL());
            } finally {
                provider.closeConnection(connection);
            }
        } catch (SQLException | UnsupportedOperationException e) {
            return Optional.empty(); // the provider has no connections, or the database does not exist yet
        }
    }

    /** Returns the database, if the unit has a URL or a data source. */
    Optional<ApplicationDatabase> database() {
        Optional<String> user = first(USERS);
        String password = first(PASSWORDS).orElse("");
        Optional<String> url = first(URLS);
        if (url.isPresent()) {
            return Optional.of(ApplicationDatabase.at(url.get(), user.orElse(""), password));
        }
        return dataSource().map(ApplicationDatabase::of).map(database -> {
            ApplicationDatabase seen = database.seenAt(urlSeen().orElse(null)).inSchema(schemaSeen());
            return user.isPresent() ? seen.as(user.get(), password) : seen;
        });
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

    /** Returns the schema of Hibernate's connections, if Hibernate has read the database's metadata. */
    private @Nullable String schemaSeen() {
        JdbcEnvironment environment = registry.getService(JdbcEnvironment.class);
        return environment == null
                ? null
                : environment.getExtractedDatabaseMetaData().getConnectionSchemaName();
    }

    private Optional<String> first(List<String> keys) {
        return keys.stream()
                .map(settings::get)
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .findFirst();
    }
}
