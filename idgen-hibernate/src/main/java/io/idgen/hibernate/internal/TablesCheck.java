package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.SourceTable;
import io.idgen.jdbc.dialect.Dialect;
import io.idgen.jdbc.internal.connection.EmbeddedDatabase;
import io.idgen.jdbc.internal.dialect.Dialects;
import io.idgen.jdbc.internal.sql.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.cfg.SchemaToolingSettings;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.service.ServiceRegistry;

/**
 * Reports missing tables of idgen at the end of a boot, before the first insert fails. It checks once, on one of
 * Hibernate's connections, and only if Hibernate has reached the database before. So a boot without a database is
 * neither slower nor refused.
 *
 * <p>If Hibernate validates the schema, a missing table of idgen fails the boot, like a missing table of an entity.
 * Otherwise, it is logged as an error: an application may run its migrations after the boot, or insert nothing.
 */
final class TablesCheck {
    private static final System.Logger LOG = System.getLogger(TablesCheck.class.getName());

    private TablesCheck() {}

    /**
     * Checks that tables exist.
     *
     * @param tables the tables that the sources need in the database of the entities
     * @param settings Hibernate's settings
     * @throws ConfigurationException if one is missing and Hibernate validates the schema
     */
    static void check(List<SourceTable> tables, Map<String, Object> settings, ServiceRegistry registry) {
        ConnectionProvider provider = registry.getService(ConnectionProvider.class);
        if (tables.isEmpty() || provider == null) {
            return;
        }
        String missing;
        try {
            Connection connection = provider.getConnection();
            try {
                missing = missing(connection, tables);
            } finally {
                provider.closeConnection(connection);
            }
        } catch (SQLException | UnsupportedOperationException e) { // lost meanwhile, or the provider has no connections
            LOG.log(System.Logger.Level.DEBUG, "cannot look for idgen's tables", e);
            return;
        }
        if (missing.isEmpty()) {
            return;
        }
        ConfigurationException refusal = new ConfigurationException(ErrorCode.TABLE_MISSING, missing);
        if (validates(settings)) {
            throw refusal;
        }
        LOG.log(System.Logger.Level.ERROR, refusal.getMessage());
    }

    private static boolean validates(Map<String, Object> settings) {
        return Stream.of(SchemaToolingSettings.HBM2DDL_AUTO, SchemaToolingSettings.JAKARTA_HBM2DDL_DATABASE_ACTION)
                .map(settings::get)
                .filter(Objects::nonNull)
                .anyMatch(action -> action.toString().strip().equalsIgnoreCase("validate"));
    }

    /** Returns the message; empty if all tables exist. */
    private static String missing(Connection connection, List<SourceTable> tables) throws SQLException {
        Dialect dialect = Dialects.of(connection);
        boolean createsItself = EmbeddedDatabase.isInMemory(connection);
        List<SourceTable> missing = new ArrayList<>();
        for (SourceTable table : tables) {
            boolean isCreatedLater = table.createdBy() == SourceTable.CreatedBy.SOURCE
                    || (table.createdBy() == SourceTable.CreatedBy.FRAMEWORK && createsItself);
            if (!isCreatedLater && !exists(connection, dialect, table.name())) {
                missing.add(table);
            }
        }
        if (missing.isEmpty()) {
            return "";
        }
        return missing.stream().map(SourceTable::name).collect(Collectors.joining(" and "))
                + " is missing in the database of the entities, and the first id will fail; create it by your migrations"
                + " (Flyway location classpath:db/idgen/" + dialect.name()
                + ", Liquibase changelog db/idgen/changelog.xml), by idgen.jdbc.initialize-schema=always, or with\n"
                + missing.stream()
                        .flatMap(table -> table.ddl().apply(dialect.name()).stream())
                        .map(statement -> statement + ";\n")
                        .collect(Collectors.joining());
    }

    private static boolean exists(Connection connection, Dialect dialect, String table) throws SQLException {
        try {
            return Transactions.exists(connection, dialect, table);
        } finally {
            if (!connection.getAutoCommit()) {
                connection.rollback(); // after an error, PostgreSQL refuses all statements until the rollback
            }
        }
    }
}
