package io.idgen.hibernate.internal;

import org.hibernate.engine.jdbc.env.spi.ExtractedDatabaseMetaData;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.service.ServiceRegistry;

/** The database of the entities, as far as Hibernate knows it at boot. */
final class BootDatabase {
    private BootDatabase() {}

    /**
     * Returns whether Hibernate has read the metadata of a database. It has not where the mapping is only read, as in a
     * build, or where {@code hibernate.boot.allow_jdbc_metadata_access} is false.
     */
    static boolean isSeen(ServiceRegistry registry) {
        JdbcEnvironment environment = registry.getService(JdbcEnvironment.class);
        if (environment == null) {
            return false;
        }
        ExtractedDatabaseMetaData seen = environment.getExtractedDatabaseMetaData();
        return seen.getConnectionCatalogName() != null || seen.getConnectionSchemaName() != null;
    }
}
