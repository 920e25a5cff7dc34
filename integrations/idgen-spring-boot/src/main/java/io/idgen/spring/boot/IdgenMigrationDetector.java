package io.idgen.spring.boot;

import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;

/**
 * Makes Spring Boot run {@link IdgenMigration} after the application's Flyway and Liquibase (0 and 1), and before the
 * entity manager factories, scripts such as {@code schema.sql}, and all beans that depend on the initialization of the
 * database.
 */
final class IdgenMigrationDetector extends AbstractBeansOfTypeDatabaseInitializerDetector {
    private static final int AFTER_MIGRATIONS = 100;

    IdgenMigrationDetector() {}

    @Override
    protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
        return Set.of(IdgenMigration.class);
    }

    @Override
    public int getOrder() {
        return AFTER_MIGRATIONS;
    }
}
