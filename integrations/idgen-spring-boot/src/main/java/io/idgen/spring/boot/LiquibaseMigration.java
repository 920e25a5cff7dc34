package io.idgen.spring.boot;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.schema.IdgenSchema;
import javax.sql.DataSource;
import liquibase.UpdateSummaryOutputEnum;
import liquibase.exception.LiquibaseException;
import liquibase.integration.spring.SpringLiquibase;
import liquibase.ui.UIServiceEnum;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.io.DefaultResourceLoader;

/** Creates idgen's tables with Liquibase; see {@link IdgenMigration}. */
final class LiquibaseMigration {
    private LiquibaseMigration() {}

    /**
     * Migrates. If the application has a {@link SpringLiquibase} for the same database, uses its connections, whose
     * user may run DDL, and its default schema.
     *
     * @param beans contain the application's {@link SpringLiquibase}; null if that is for another database
     */
    static void run(DataSource dataSource, @Nullable ListableBeanFactory beans) {
        SpringLiquibase application = beans == null
                ? null
                : beans.getBeanProvider(SpringLiquibase.class).getIfUnique();
        SpringLiquibase own = new SpringLiquibase();
        own.setDataSource(dataSource);
        if (application != null) {
            own.setDataSource(application.getDataSource());
            own.setDefaultSchema(application.getDefaultSchema());
            own.setLiquibaseSchema(application.getLiquibaseSchema());
        }
        own.setChangeLog("classpath:" + IdgenSchema.LIQUIBASE_CHANGELOG);
        own.setDatabaseChangeLogTable(IdgenSchema.LIQUIBASE_TABLE);
        own.setDatabaseChangeLogLockTable(IdgenSchema.LIQUIBASE_TABLE + "_lock");
        own.setResourceLoader(new DefaultResourceLoader(IdgenSchema.class.getClassLoader()));
        own.setUiService(UIServiceEnum.LOGGER); // otherwise, it prints to the console
        own.setShowSummaryOutput(UpdateSummaryOutputEnum.LOG);
        try {
            own.afterPropertiesSet();
        } catch (LiquibaseException e) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED, "Liquibase did not create the tables of idgen: " + e.getMessage(), e);
        }
    }
}
