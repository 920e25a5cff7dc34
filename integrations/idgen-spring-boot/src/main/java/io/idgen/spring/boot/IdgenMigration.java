package io.idgen.spring.boot;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.schema.IdgenSchema;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Creates idgen's tables with Flyway or Liquibase, if {@code idgen.jdbc.initialize-schema} is {@code flyway} or
 * {@code liquibase}. The migration has its own history table; the application's is untouched.
 * It runs after the migrations of the application, which expect an empty schema, and before all beans that use the
 * database: see {@link IdgenMigrationDetector}.
 */
record IdgenMigration(
        ConfigurableEnvironment environment, ListableBeanFactory beans, ObjectProvider<DataSource> application)
        implements InitializingBean {
    private static final String PREFIX = "idgen.jdbc.table-prefix";

    /**
     * Migrates the database of the application. The bean has no conditions, because ahead-of-time processing does not
     * know the settings.
     */
    @Override
    public void afterPropertiesSet() {
        IdgenSettings settings = IdgenSettings.of(environment);
        if (settings.migration().isPresent()) {
            IdgenDatabase database = IdgenDatabase.of(settings, beans, application::getIfUnique, settings.ofJpa());
            boolean hasUnits = database.dataSource() == null
                    && application.stream().findAny().isPresent();
            if (!hasUnits) { // otherwise, each unit has its own database
                run(settings, database, database.isApplications() ? beans : null);
            }
        }
    }

    /**
     * Migrates a database, if the settings choose that.
     *
     * @param migrations the beans with the application's migrations of this database; null if it has none
     */
    static void run(IdgenSettings settings, IdgenDatabase database, @Nullable ListableBeanFactory migrations) {
        settings.migration().ifPresent(tool -> migrate(tool, settings, database, migrations));
    }

    private static void migrate(
            MigrationTool tool,
            IdgenSettings settings,
            IdgenDatabase database,
            @Nullable ListableBeanFactory migrations) {
        if (!tool.isPresent()) {
            throw refusal(tool, tool + " is not on the class path; add it, or choose never, embedded or always");
        }
        String prefix = settings.get(PREFIX);
        if (prefix != null && !prefix.equals(IdgenSchema.DEFAULT_PREFIX)) {
            throw refusal(tool, ownMigration(PREFIX, prefix));
        }
        DataSource dataSource = database.dataSource();
        if (dataSource == null) {
            throw refusal(
                    tool,
                    "there is no database; set spring.datasource.url, " + IdgenDatabase.DATA_SOURCE + " or "
                            + IdgenDatabase.URL);
        }
        String own = settings.get(IdgenDatabase.SCHEMA);
        String schema = own != null ? own : database.schema().orElse(null);
        if (tool == MigrationTool.FLYWAY) {
            FlywayMigration.run(dataSource, schema, migrations);
        } else if (schema == null) {
            LiquibaseMigration.run(dataSource, migrations);
        } else {
            throw refusal(tool, ownMigration(own != null ? IdgenDatabase.SCHEMA : IdgenDatabase.JPA, schema));
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
