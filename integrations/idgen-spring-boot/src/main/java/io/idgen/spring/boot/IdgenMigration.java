package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.schema.IdgenSchema;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/**
 * Creates idgen's tables with Flyway or Liquibase, if {@code idgen.jdbc.initialize-schema} is {@code flyway} or
 * {@code liquibase}. The migration has its own history tables, so it changes nothing in the history of the application.
 * It runs after the migrations of the application, which expect an empty schema, and before all beans that use the
 * database: see {@link IdgenMigrationDetector}.
 */
final class IdgenMigration implements InitializingBean {
    private static final String PREFIX = "idgen.jdbc.table-prefix";

    private final Environment environment;
    private final ListableBeanFactory beans;
    private final ObjectProvider<DataSource> application;

    IdgenMigration(Environment environment, ListableBeanFactory beans, ObjectProvider<DataSource> application) {
        this.environment = environment;
        this.beans = beans;
        this.application = application;
    }

    /**
     * Migrates if the settings choose that. The bean has no conditions, because ahead-of-time processing does not know
     * the settings.
     */
    @Override
    public void afterPropertiesSet() {
        MigrationTool.of(environment).ifPresent(this::migrate);
    }

    private void migrate(MigrationTool tool) {
        if (!tool.isPresent()) {
            throw refusal(tool, tool + " is not on the class path; add it, or choose never, embedded or always");
        }
        String prefix = environment.getProperty(PREFIX, IdgenSchema.DEFAULT_PREFIX);
        if (!prefix.equals(IdgenSchema.DEFAULT_PREFIX)) {
            throw refusal(tool, ownMigration(PREFIX, prefix));
        }
        IdgenDatabase database = IdgenDatabase.of(environment, beans, application);
        DataSource dataSource = database.forMigrations();
        if (dataSource == null) {
            throw refusal(
                    tool,
                    "there is no database; set spring.datasource.url, " + IdgenDatabase.DATA_SOURCE + " or "
                            + IdgenDatabase.URL);
        }
        String own = environment.getProperty(JpaSchema.SETTING);
        String schema = own != null ? own : JpaSchema.of(environment, database).orElse(null);
        ListableBeanFactory migrations = database.isApplications() ? beans : null;
        if (tool == MigrationTool.FLYWAY) {
            FlywayMigration.run(dataSource, schema, migrations);
        } else if (schema == null) {
            LiquibaseMigration.run(dataSource, migrations);
        } else {
            throw refusal(tool, ownMigration(own != null ? JpaSchema.SETTING : JpaSchema.ORIGIN, schema));
        }
    }

    private static String ownMigration(String setting, String value) {
        return "it does not apply " + setting + " (" + value + "); leave that out, or put the statements of"
                + " IdgenSchema.createScript() into a migration of yours and set " + MigrationTool.SETTING + "=never";
    }

    private static ConfigurationException refusal(MigrationTool tool, String reason) {
        return new ConfigurationException(
                ErrorCode.INVALID_SETTING, MigrationTool.SETTING + "=" + tool + ": " + reason);
    }
}
