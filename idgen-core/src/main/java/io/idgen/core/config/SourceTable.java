package io.idgen.core.config;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A table that a source needs, for a framework that creates the schema of an application.
 *
 * @param name the name in the source's statements, with its schema if it has one; two tables with one name are the same
 *     table
 * @param ddl returns the statements that create the table, for the name of a database: {@code postgresql}, {@code
 *     mysql}, {@code mariadb}, {@code h2} or {@code hsqldb}; none for a database that it does not know. The statements
 *     have no semicolon at their end. They change nothing if the table exists
 * @param createdBy who creates the table if it is missing
 */
public record SourceTable(String name, Function<String, List<String>> ddl, CreatedBy createdBy) {

    /** Who creates a table that is missing. */
    public enum CreatedBy {
        /** The migrations of the application, and nobody else. */
        MIGRATIONS,
        /** The framework where it creates the schema, else migrations. In an in-memory database also the source. */
        FRAMEWORK,
        /** The source, before its first id; or the framework before that. */
        SOURCE
    }

    /** Checks the values. */
    public SourceTable {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(ddl, "ddl");
        Objects.requireNonNull(createdBy, "createdBy");
    }
}
