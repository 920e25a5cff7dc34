package io.idgen.spring.boot;

import io.idgen.jdbc.schema.IdgenSchema;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/** Creates idgen's tables with Flyway; see {@link IdgenMigration}. */
final class FlywayMigration {
    private FlywayMigration() {}

    /**
     * Migrates. If the application has a {@link Flyway} for the same database, uses its connections, whose user may run
     * DDL, and its default schema.
     *
     * @param schema the schema of the tables, as the database writes it; null for the default schema
     * @param beans contain the application's {@link Flyway}; null if that is for another database
     */
    static void run(DataSource dataSource, @Nullable String schema, @Nullable ListableBeanFactory beans) {
        Flyway application =
                beans == null ? null : beans.getBeanProvider(Flyway.class).getIfUnique();
        FluentConfiguration own = Flyway.configure().dataSource(dataSource);
        if (application != null) {
            Configuration configuration = application.getConfiguration();
            own.dataSource(configuration.getDataSource()).defaultSchema(configuration.getDefaultSchema());
        }
        if (schema != null) {
            own.defaultSchema(schema);
        }
        own.locations(new IdgenSchema(own.getDataSource()).flywayLocation())
                .table(IdgenSchema.FLYWAY_TABLE)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
    }
}
