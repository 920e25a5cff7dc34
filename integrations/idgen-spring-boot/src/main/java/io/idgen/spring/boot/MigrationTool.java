package io.idgen.spring.boot;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.util.ClassUtils;

/** The tools that create idgen's tables, as values of {@value #SETTING}. */
enum MigrationTool {
    FLYWAY("org.flywaydb.core.Flyway"),
    LIQUIBASE("liquibase.integration.spring.SpringLiquibase");

    static final String SETTING = "idgen.jdbc.initialize-schema";

    private final String type;

    MigrationTool(String type) {
        this.type = type;
    }

    /** Returns the tool that the settings choose. */
    static Optional<MigrationTool> of(IdgenSettings settings) {
        String name = settings.get(SETTING);
        return Stream.of(values())
                .filter(tool -> name != null && tool.toString().equals(name.strip()))
                .findFirst();
    }

    /** Returns whether the application has the tool. */
    boolean isPresent() {
        return ClassUtils.isPresent(type, MigrationTool.class.getClassLoader());
    }

    /** Returns the value of the setting. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
