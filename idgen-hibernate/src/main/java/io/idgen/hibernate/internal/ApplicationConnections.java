package io.idgen.hibernate.internal;

import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.connection.OwnConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
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
 * Connections to the database of the entities that do not come from the pool whose threads wait for ids. They use the
 * unit's own URL and credentials, or a copy of its HikariCP pool with two connections. The constructor opens nothing.
 */
final class ApplicationConnections implements AutoCloseable {
    // each setting by its JPA name and by the older name of Hibernate
    private static final List<String> URLS = List.of(JdbcSettings.JAKARTA_JDBC_URL, "hibernate.connection.url");
    private static final List<String> USERS = List.of(JdbcSettings.JAKARTA_JDBC_USER, "hibernate.connection.username");
    private static final List<String> PASSWORDS =
            List.of(JdbcSettings.JAKARTA_JDBC_PASSWORD, "hibernate.connection.password");

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final Map<String, Object> settings;
    private final ServiceRegistryImplementor registry;
    private @Nullable AutoCloseable opened;

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
        if (provider == null) {
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
            return Optional.empty(); // the provider has no connections of its own, or the database does not exist yet
        }
    }

    /** Returns connections for idgen alone, if the unit has a URL or a HikariCP pool. */
    Optional<DataSource> dataSource() {
        Optional<OwnConnections> byUrl = first(URLS)
                .map(url -> OwnConnections.to(
                        url, first(USERS).orElse(""), first(PASSWORDS).orElse(""), CONNECT_TIMEOUT));
        byUrl.ifPresent(made -> opened = made);
        return byUrl.isPresent() ? byUrl.map(OwnConnections::dataSource) : copyOfPool();
    }

    private Optional<DataSource> copyOfPool() {
        ConnectionProvider provider = registry.getService(ConnectionProvider.class);
        if (provider == null || !provider.isUnwrappableAs(DataSource.class)) {
            return Optional.empty();
        }
        try {
            Optional<? extends DataSource> copy = HikariCopy.of(provider.unwrap(DataSource.class));
            copy.ifPresent(made -> opened = (AutoCloseable) made);
            return copy.map(DataSource.class::cast);
        } catch (NoClassDefFoundError e) {
            return Optional.empty(); // this application does not use HikariCP
        }
    }

    private Optional<String> first(List<String> keys) {
        return keys.stream()
                .map(settings::get)
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .findFirst();
    }

    @Override
    public void close() {
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException("closing idgen's connections failed", e);
        }
    }
}
